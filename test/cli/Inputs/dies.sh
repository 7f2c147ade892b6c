#!/bin/sh
# A compiler that ends with the signal in its name (clang-KILL), as soon as it is to
# compile.
case "$*" in
*--version*) echo "clang version 22.1.8" ;;
*) kill -"${0##*-}" $$ ;;
esac
