"""The page in a real browser: what people do with it."""

import json
import re
import urllib.parse
from xml.etree import ElementTree

import pytest
from tests.web.browsing import open_browser, open_page, serious_faults, until

VIEWS = ("trees", "names", "summary", "thread", "graph", "grammar")
RAIN = [
    "Rain fell on Rome all day on Monday. The river Tiber rose by two meters. Many shops closed.",
    "Heavy rain hit Rome on Monday. The mayor thanked the fire brigade. Schools stay closed.",
]
SHORT = {"documents": RAIN}
SVG = "{http://www.w3.org/2000/svg}"
PREFIX = "Force: telescope depends on "
STATUS = "document.querySelector('[role=status]').innerText"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as found:
        yield found


@pytest.fixture
def open_view(browser, client):
    """Open a view, with an input or with its example, and wait for its answer."""
    opened = []

    def open_it(view, state=None, wait=".verdict", **options):
        fragment = "" if state is None else "=" + urllib.parse.quote(json.dumps(state))
        opened.append(open_page(browser, client, f"/#{view}{fragment}", **options))
        page = opened[-1].__enter__()
        if wait:
            page.wait_for_selector(wait)
            until(page, f"!{STATUS}.endsWith('…')")  # trees come one by one
        return page

    yield open_it
    for one in opened:
        one.__exit__(None, None, None)


def press(page, name, nth=0):
    page.get_by_role("button", name=name, exact=True).nth(nth).click()


def saved(page, name, nth=0):
    with page.expect_download() as download:
        press(page, name, nth)
    return download.value.path().read_text(encoding="utf-8")


def test_a_tree_follows_what_is_typed(open_view):
    page = open_view("trees")
    assert "The model’s best tree; nothing about the world." in page.inner_text("main")
    page.fill("textarea", "Dogs bark. Cats sleep. Birds sing.")
    until(page, f"{STATUS} === '3 sentences.'")
    assert page.locator("figure").count() == 3
    page.fill("textarea", "")
    until(page, "document.querySelectorAll('figure').length === 0")


def test_a_word_is_chosen_by_keyboard_and_tells_what_it_is(open_view):
    page = open_view("trees")
    word = page.locator("[data-word='7']").first
    word.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("group", name="The word telescope")
    text = panel.inner_text()
    assert re.search(r"lemma\s+telescope", text)
    assert re.search(r"NOUN · NN \(confidence \d+ %\)", text)
    assert re.search(r"man\s+\d+ %", text)
    assert page.evaluate("document.activeElement.dataset.word") == "7"
    page.keyboard.press("Space")
    assert panel.count() == 0


def test_an_arc_is_forced_and_let_go(open_view):
    page = open_view("trees")
    free = page.locator("[data-word='7']").first.get_attribute("aria-label")
    other = "saw" if "of man" in free else "man"
    page.locator("[data-word='7']").first.click()
    press(page, PREFIX + other)
    page.wait_for_selector(".chips")
    assert f"of {other}" in page.locator("[data-word='7']").first.get_attribute("aria-label")
    text = page.inner_text("figure >> nth=0")
    assert "The model’s best tree among those that obey your constraints" in text
    assert "Obeying costs" in text
    press(page, f"Remove: “telescope” depends on “{other}”")
    until(page, "!document.querySelector('.chips')")
    assert page.locator("[data-word='7']").first.get_attribute("aria-label") == free


def test_an_arc_and_a_tag_are_forbidden_and_forced(open_view):
    page = open_view("trees", {"text": "They can fish."})
    page.locator("[data-word='2']").click()
    page.get_by_label("Any tag of can").select_option("VERB")
    press(page, "Force tag")
    page.wait_for_selector(".chips")
    assert page.locator("[data-word='2']").get_attribute("aria-label").startswith("can, VERB")
    head = page.get_by_label("Any head of can").input_value()
    press(page, "Forbid head")
    until(page, "document.querySelectorAll('.chips li').length === 2")
    until(page, f"document.querySelector('[aria-label=\"Any head of can\"]').value !== '{head}'")


def test_constraints_that_contradict_each_other_are_explained(open_view):
    page = open_view("trees", {"text": "They can fish."}, refused=True)
    for word in ("1", "2"):
        page.locator(f"[data-word='{word}']").click()
        page.locator("[aria-label^='Any head of']").select_option("0")
        press(page, "Force head")
        page.wait_for_selector(".chips")
    page.wait_for_selector("#problem:not([hidden])")
    assert "contradict each other" in page.inner_text("#problem")
    assert page.locator(".chips li").count() == 1


def test_names_are_seen_and_corrected(open_view):
    page = open_view("names", {"text": "Ada Lovelace met Apple in May."})
    assert page.locator("button.name.PER").inner_text().startswith("Ada Lovelace")
    page.locator("button.name.PER").click()
    press(page, "Not a name")
    until(page, "!document.querySelector('button.name.PER')")
    page.get_by_label("A phrase of your own").fill("May")
    page.get_by_label("What the phrase is").select_option("PER")
    press(page, "Add")
    page.wait_for_selector("button.name.PER")
    assert page.locator(".chips li").count() == 2
    assert "among those that obey" in page.inner_text(".verdict")


def test_a_summary_is_linked_with_its_sources_and_obeys(open_view):
    page = open_view("summary", SHORT | {"words": 15})
    first = page.locator("[data-where=summary]").first
    place = first.get_attribute("data-place")
    first.click()
    twin = page.locator(f"[data-where=source][data-place='{place}']")
    assert twin.get_attribute("aria-pressed") == "true"
    press(page, "Never take it")
    gone = f"!document.querySelector('[data-where=summary][data-place=\"{place}\"]')"
    until(page, gone)
    assert page.locator(".chips li").count() == 1
    other = page.locator("[data-where=source]:not(.taken):not(.unwanted)").first
    name = other.get_attribute("data-place")
    other.click()
    press(page, "Always take it")
    page.wait_for_selector(f"[data-where=summary][data-place='{name}']")


def test_a_summary_follows_the_slider_and_words_are_kept(open_view):
    page = open_view("summary", SHORT | {"words": 40})
    page.get_by_label(re.compile("At most")).fill("5")
    until(page, f"/[0-5] of 5 words/.test({STATUS})")
    page.get_by_label(re.compile("At most")).fill("40")
    until(page, f"/of 40 words/.test({STATUS})")
    page.locator("[data-where=source][data-place='1:1']").click()
    press(page, "Always take it")
    page.wait_for_selector(".words button")
    page.get_by_role("button", name=re.compile("^(Keep|Cut) Monday$")).click()
    page.wait_for_selector(".words button.wanted")
    assert page.locator(".chips li").count() == 2


def test_a_thread_is_linked(open_view):
    page = open_view("thread")
    assert "post 2 answers post 1" in page.locator("svg.thread").get_attribute("aria-label")
    page.fill("textarea", "ann: tea?\nbob: ann: yes please\n")
    until(page, f"{STATUS}.startsWith('2 posts')")


def test_a_graph_is_edited_and_solved(open_view):
    page = open_view("graph")
    status = page.locator("[role=status]")
    assert "On: sun" in status.inner_text()
    page.get_by_label("Score of rain").fill("9")
    until(page, f"{STATUS}.includes('rain')")
    page.get_by_label("Method").select_option("exact")
    page.wait_for_selector(".verdict .good")
    page.get_by_label("Constraint on rain").select_option("false")
    until(page, f"!{STATUS}.includes('rain')")
    press(page, "Add a factor")
    page.get_by_label("Variables of factor 8").fill("sun, ~sun")
    page.get_by_label("Kind of factor 8").select_option("exactly_one")
    page.get_by_label("Constraint on sun").select_option("false")
    page.wait_for_selector(".verdict .bad")
    assert "No assignment obeys everything" in page.inner_text(".verdict")


def test_a_mistake_in_a_graph_is_explained(open_view):
    page = open_view("graph", refused=True)
    page.get_by_label("Variables of factor 1").fill("sun, nonsense")
    page.wait_for_selector("#problem:not([hidden])")
    assert page.inner_text("#problem") == "Factor 1: there is no variable 'nonsense'."


def test_a_search_is_watched_and_stopped(open_view):
    page = open_view("grammar", wait=None)
    press(page, "Search")
    page.wait_for_selector(".verdict .good")
    assert "The model’s best set of trees" in page.inner_text(".verdict")
    assert page.locator("svg.tree").count() == 8
    page.fill("textarea", "A B C D E F G\nB A D C F E G\nC A B E D G F\n" * 12)
    press(page, "Search")
    until(page, f"{STATUS}.includes('Searching')")
    press(page, "Stop")
    page.get_by_role("button", name="Search", exact=True).wait_for()


def test_a_link_opens_what_was_typed(open_view, browser, client):
    page = open_view("trees")
    page.fill("textarea", "Links keep texts & = # signs.")
    until(page, "location.hash.includes('Links')")
    address = page.evaluate("location.hash")
    with open_page(browser, client, f"/{address}") as other:
        other.wait_for_selector(".verdict")
        assert other.input_value("textarea") == "Links keep texts & = # signs."
    for broken in ("#trees=%7Bnonsense", "#trees=%E0%A4%A", "#names=[1]", "#nonsense"):
        with open_page(browser, client, f"/{broken}") as other:
            other.wait_for_selector(".verdict")


def test_pictures_and_results_are_saved(open_view):
    page = open_view("trees", {"text": "Cats sleep."})
    drawing = ElementTree.fromstring(saved(page, "Save SVG"))
    texts = [one.text for one in drawing.iter(f"{SVG}text")]
    assert {"Cats", "sleep", "NOUN", "root"} <= set(texts)
    assert "var(" not in ElementTree.tostring(drawing, "unicode")
    record = json.loads(saved(page, "Save JSON"))
    assert record["tokens"][0]["lemma"] == "cat"
    page = open_view("names", {"text": "Ada Lovelace lived in London & <b>wrote</b>."})
    drawing = saved(page, "Save SVG")
    texts = [one.text for one in ElementTree.fromstring(drawing).iter(f"{SVG}text")]
    assert texts[:3] == ["Ada", "Lovelace", "PER"] and "<b>wrote</b>." in texts
    assert "var(" not in drawing and drawing.count("<rect") == 3  # two names on a ground
    page = open_view("summary", {"documents": RAIN, "words": 25})
    drawing = ElementTree.fromstring(saved(page, "Save SVG"))
    shown = "".join(page.inner_text(".prose >> nth=0").split())
    assert "".join(one.text for one in drawing.iter(f"{SVG}text")) == shown
    for view, count in (("thread", 1), ("graph", 2)):
        page = open_view(view)
        page.wait_for_selector("svg")
        for nth in range(count):
            ElementTree.fromstring(saved(page, "Save SVG", nth))
        assert json.loads(saved(page, "Save JSON"))


def test_the_page_is_used_by_keyboard_alone(open_view):
    page = open_view("trees")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.locator("#theme").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") != theme
    page.get_by_role("link", name="Names").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("button.name")
    assert page.get_by_role("link", name="Names").get_attribute("aria-current") == "page"


def test_a_token_is_asked_for_and_used(browser, client_of):
    client = client_of(token="open-sesame")
    with open_page(browser, client, "/#trees", refused=True) as page:
        page.wait_for_selector("#token-form:not([hidden])")
        page.fill("#token", "open-sesame")
        press(page, "Use it")
        page.wait_for_selector(".verdict")


HOSTILE = {
    "script": '<script>alert(1)</script> <img src=x onerror=alert(2)> " onload="alert(3)"',
    "long": "Antidisestablishmentarianism" * 40 + " is long.",
    "right to left": "שלום עולם. זה משפט קצר.",
    "emoji": "👩‍👩‍👧‍👦 Ada loves 🍕 in 東京 🇫🇷. Ｆｕｌｌ width ﷽!",
    "controls": "a\u202eb\u200b c\u0301\u0301\u0301 \ufeff d.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_odd_texts_are_shown_and_do_no_harm(open_view, name):
    text = HOSTILE[name]
    page = open_view("trees", {"text": text})
    assert page.locator("svg.tree").count() >= 1
    until(page, "document.documentElement.scrollWidth <= innerWidth")
    page = open_view("names", {"text": text})
    assert page.inner_text(".prose").startswith(text[:3])


def test_markup_is_text_in_all_views(open_view):
    text = HOSTILE["script"]
    page = open_view("thread", {"text": f"{text}\n<b>: {text}\n"})
    assert page.locator("svg.thread script, svg.thread b").count() == 0
    page = open_view("summary", {"documents": [text, text], "words": 20}, wait=None, refused=True)
    page.wait_for_selector(".verdict, #problem:not([hidden])")
    page = open_view("graph", {"variables": [{"name": text[:60], "score": 1}], "factors": []})
    assert page.locator("svg.graph img, svg.graph script").count() == 0


def test_fifty_thousand_words(open_view):
    page = open_view("trees")
    page.evaluate(
        """words => { const area = document.querySelector("textarea"); area.value = words;
        area.dispatchEvent(new Event("input")); }""",
        "The cat sat on the mat and the dog ran. " * 5000,
    )
    until(page, f"{STATUS}.includes('characters are parsed')")
    assert page.locator("figure").count() == 20
    assert len(page.evaluate("location.hash")) < 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_nobody_stumbles(open_view, view, scheme):
    page = open_view(view, wait=None, color_scheme=scheme)
    if view == "grammar":
        press(page, "Search")
    page.wait_for_selector(".verdict")
    if view == "trees":
        page.locator("[data-word='2']").first.click()
    if view == "summary":
        page.locator(".sentence").first.click()
    if view == "names":
        page.locator("button.name").first.click()
    assert serious_faults(page) == []


def test_a_phone_scrolls_in_one_direction_only(browser, client):
    small = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    for view in VIEWS:
        context = browser.new_context(base_url=str(client.base_url), **small)
        page = context.new_page()
        page.goto(f"/#{view}")
        page.wait_for_selector(".verdict" if view != "grammar" else "svg.chart")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view
        context.close()


def test_the_api_is_described_without_help_from_outside(browser, client):
    with open_page(browser, client, "/page/api.html") as page:
        page.wait_for_selector("section")
        assert "POST /api/parse" in page.inner_text("main")
        assert serious_faults(page) == []
