# Shared by bin/play and bin/test: a Python, uv, and an environment with exactly the locked packages. POSIX sh, sourced.
# Everything it makes stays in the project's folder (.uv, .venv, .venv-play), save for uv's cache.

say() { printf '%s\n' "clew: $*"; }
fail() { printf '%s\n' "clew: $*" >&2; exit 1; }

# The Python that the project is written for comes first, then newer ones, then any that fits.
wanted=$(cat .python-version)
fits() { "$1" -c 'import sys; sys.exit(not (3, 12) <= sys.version_info[:2] < (4,))' >/dev/null 2>&1; }

# Prints the first Python of 3.12 or newer: on the path, pyenv's (whose shims refuse versions that are not switched on), uv's.
find_python() {
    pyenv=${PYENV_ROOT:-$HOME/.pyenv}/versions
    own=${XDG_DATA_HOME:-$HOME/.local/share}/uv/python
    for version in "$wanted" 3.14 3.12 3.15 3; do
        for candidate in "python$version" "$pyenv/$version"*/bin/python "$own/cpython-$version"*/bin/python; do
            if command -v "$candidate" >/dev/null 2>&1 && fits "$candidate"; then
                # The interpreter itself, not a shim that depends on the folder it is called in.
                "$candidate" -c 'import os, sys; print(os.path.realpath(sys.executable))'
                return 0
            fi
        done
    done
    return 1
}

# uv reads no pip settings: the index and the certificates that pip was told to use, uv is told too.
follow_pip() {
    index=${PIP_INDEX_URL:-$(pip_setting index-url)}
    cert=${PIP_CERT:-$(pip_setting cert)}
    [ -z "$index" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"
    [ -z "$cert" ] || export SSL_CERT_FILE="${SSL_CERT_FILE:-$cert}"
}
pip_setting() { [ ! -x .uv/bin/pip ] || .uv/bin/pip config list 2>/dev/null | sed -n "s/^global\.$1='\(.*\)'\$/\1/p"; }

# Sets $uv. $1: a Python to install it with; any that has pip or venv will do.
find_uv() {
    if [ -x .uv/bin/uv ] && .uv/bin/uv --version >/dev/null 2>&1; then
        uv=.uv/bin/uv
    elif command -v uv >/dev/null 2>&1 && uv --version >/dev/null 2>&1; then
        uv=uv
    else
        say "getting uv, which installs the packages"
        if ! "$1" -m venv .uv >/dev/null 2>&1; then
            rm -rf .uv
            version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
            fail "$1 cannot make a virtual environment; on Debian and Ubuntu install the package python$version-venv, or install uv, then run this again."
        fi
        .uv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt ||
            { rm -rf .uv; fail "uv could not be installed from the package registry; look at the lines above, or install uv yourself and run this again."; }
        uv=.uv/bin/uv
    fi
    follow_pip
}

# ready VENV LOCK: the environment VENV holds exactly what the lock file names. Nothing to do where its stamp says so.
ready() {
    stamp="$(cksum <"$2") $(cksum <.python-version)"
    if [ -x "$1/bin/python" ] && [ "$(cat "$1/clew-stamp" 2>/dev/null)" = "$stamp" ] && fits "$1/bin/python"; then
        return 0
    fi
    if python=$(find_python); then
        find_uv "$python"
    else
        any=$(command -v python3 || command -v python || true)
        [ -n "$any" ] || command -v uv >/dev/null 2>&1 ||
            fail "Clew needs Python 3.12 or newer, and there is no Python here; install Python $wanted and run this again."
        find_uv "$any"
        say "no Python of 3.12 or newer here: asking uv to download $wanted"
        "$uv" python install --quiet "$wanted" 2>/dev/null ||
            fail "Clew needs Python 3.12 or newer: none was found here and uv could not download one; install Python $wanted and run this again."
        python=$wanted
    fi
    say "installing the packages of $2 into $1"
    "$uv" venv --quiet --clear --python "$python" "$1" || fail "the environment $1 could not be made."
    "$uv" pip sync --quiet --require-hashes --python "$1/bin/python" "$2" ||
        fail "the packages could not be installed; look at the lines above."
    printf '%s\n' "$stamp" >"$1/clew-stamp"
}
