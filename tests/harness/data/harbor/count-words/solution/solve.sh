#!/bin/sh
set -eu
test "$LANG_OF_TEXT" = en
cmp data/alias.txt "$TEXT"
data/count "$TEXT" > out/count.txt
