#!/bin/sh
# Installs Chromium from the packages of the system, if it is not there. Tests of the studio need it.
set -eu
if [ -n "${UNLINKABLE_CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "Chromium is missing, and there is no apt-get: install it, or set UNLINKABLE_CHROMIUM to its path" >&2
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "Chromium is missing: run 'sudo apt-get install chromium', or set UNLINKABLE_CHROMIUM to its path" >&2
    exit 0
fi
echo "installing Chromium (once; a minute or two)"
$as_root apt-get -qq update
DEBIAN_FRONTEND=noninteractive $as_root apt-get -qq install --yes --no-install-recommends chromium >/dev/null
