#!/bin/sh
# Makes the certificates of an encrypted cluster in a folder: an authority, and one for all members.
#   sh certificates.sh /etc/treaty/tls
# Copy authority.pem, member.pem and member.key to every machine; keep authority.key to yourself.
set -eu
folder=${1:?usage: certificates.sh FOLDER}
umask 077
mkdir -p "$folder"
cd "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 \
  -subj "/CN=treaty cluster" -keyout authority.key -out authority.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
  -subj "/CN=treaty member" -keyout member.key -out member.csr
openssl x509 -req -in member.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
  -days 365 -out member.pem
rm member.csr
chmod 644 authority.pem member.pem
