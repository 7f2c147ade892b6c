#!/bin/sh
# What a program of Belay that crashes looks like from outside.
kill -SEGV $$
