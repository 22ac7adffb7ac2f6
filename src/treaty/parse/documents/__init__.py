"""Documents: a text with its sentences, words, trees and entities."""
