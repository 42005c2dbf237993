# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions of the command `baton`: messages and help. Set $root to the repository, or to the folder of the installed command,
# before sourcing this file.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# show_help SCRIPT: prints the comment at the head of a script, which begins with its usage.
show_help() { sed -n '5,/^[^#]/s/^# \{0,1\}//p' "$1"; }

# wrong_usage SCRIPT SENTENCE: prints the sentence and the usage of the script, and stops with exit status 2.
wrong_usage() {
  {
    printf '%s\n' "$2"
    show_help "$1" | sed '/^$/q' | sed '/^$/d'
  } >&2
  exit 2
}

# usage SENTENCE: prints the sentence and the usage of this script, and stops with exit status 2.
usage() { wrong_usage "$0" "$1"; }

# take_model WORD: sets $model to an argument that is not an option. Stops if it is one, or if there is a model already.
take_model() {
  case $1 in
    -*) usage "there is no option $1" ;;
    '') usage "the name of a file is empty" ;;
  esac
  if [ -n "$model" ]; then usage "two models are given: $model and $1"; fi
  model=$1
}

# progress SENTENCE: prints a sentence before work of more than a second, if standard error is a terminal or $shows_progress is not empty.
progress() { if [ -n "${shows_progress-}" ] || [ -t 2 ]; then printf '%s\n' "$*" >&2; fi; }

# need_file PATH: stops unless PATH is a readable file.
need_file() {
  if [ -d "$1" ]; then fail "cannot read $1: it is a folder"; fi
  if [ ! -e "$1" ]; then fail "cannot read $1: there is no such file"; fi
  if [ ! -r "$1" ]; then fail "cannot read $1: permission denied"; fi
}

# put_files SOURCE FOLDER: moves the files of SOURCE into FOLDER, or stops. If the disk is full, FOLDER is unchanged.
put_files() {
  put_new=yes put_staging=$2/.baton.$$
  if [ -d "$2" ]; then put_new=''; fi
  # A copy on the same file system, because moving files there needs no space.
  if ! put_said=$({ mkdir -p -- "$2" && mkdir -- "$put_staging" && cp -R -- "$1/." "$put_staging" && mv -f -- "$put_staging"/* "$2"; } 2>&1); then
    rm -rf -- "$put_staging"
    if [ -n "$put_new" ]; then rmdir -- "$2" 2> /dev/null || true; fi
    fail "cannot write to $2: ${put_said##*: }"
  fi
  rmdir -- "$put_staging"
}
