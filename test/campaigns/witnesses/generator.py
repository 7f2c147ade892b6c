"""Kernels by number: each is made from the seed and its number alone. A form (forms.py,
structures.py) decides how the work is divided and what it needs; element type, capacities
and operations are drawn."""
import random


class Draws(random.Random):
    """`count` is how often the form came before: what is taken in turn is covered sooner
    than what is drawn."""

    count = 0

    def in_turn(self, items):
        return items[self.count % len(items)]


from .forms import FORMS
from .structures import STRUCTURES

ALL = FORMS + STRUCTURES


def generate(number, seed):
    """The kernel with this number. Forms come cyclically, each as often as its weight."""
    forms = [form for form, weight in ALL for _ in range(weight)]
    form = forms[number % len(forms)]
    before = forms[:number % len(forms)].count(form)
    for attempt in range(1000):
        rng = Draws(f"exhaust/{seed}/{number}/{attempt}")
        rng.count = number // len(forms) * forms.count(form) + before + attempt
        name = f"g{seed}_{number}_{form.__name__}"
        kernel = form(rng, name)
        if kernel:
            return kernel
    raise RuntimeError(f"no kernel of form {form.__name__}")


def generated(count, seed):
    return [generate(number, seed) for number in range(count)]
