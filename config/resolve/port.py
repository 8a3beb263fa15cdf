#!/usr/bin/env python3
"""A port of `resolve` to Python that follows docs/porting.md, with its test.

Usage: config/resolve/port.py. Exits with 1 and prints the case if a page of vectors.json or a chain of chains.tsv differs.
"""

import copy
import json
import re
import sys
from pathlib import Path

CONFIG = Path(__file__).resolve().parent.parent
LOCALES = json.loads((CONFIG / "locales/parents.json").read_text())
FACTS = ("storefront", "locale", "platform", "appVersion", "os", "tags", "client")
UNKNOWN, NOT_STATED = object(), None
YES, NO = object(), object()


# Targets


def ask(target, facts, arms):
    if not isinstance(target, dict) or not target:
        return NO
    residual = {}
    for name, value in target.items():
        if name == "experiment" and isinstance(value, dict):
            for experiment, names in value.items():
                reply = check(arms.get(experiment, NOT_STATED), lambda arm: arm in names) if is_list(names) else NO
                if reply is NO:
                    return NO
                if reply is UNKNOWN:
                    residual.setdefault("experiment", {})[experiment] = names
        else:
            reply = condition(name, value, facts)
            if reply is NO:
                return NO
            if reply is UNKNOWN:
                residual[name] = value
    return residual or YES


def check(fact, test):
    if fact is UNKNOWN:
        return UNKNOWN
    return YES if fact is not NOT_STATED and test(fact) else NO


def is_list(value):
    return isinstance(value, list) and value != [] and all(isinstance(element, str) for element in value)


def condition(name, value, facts):
    if name in ("appVersion", "os"):
        bounds = version_range(value) if isinstance(value, str) else None
        return NO if bounds is None else check(facts[name], lambda text: matches(version(text), bounds))
    if not is_list(value):
        return NO
    if name in ("storefronts", "platforms"):
        return check(facts[name[:-1]], lambda key: key in value)
    if name == "locales":
        return check(facts["locale"], lambda chain: any(tag in value for tag in chain))
    if name == "tags":
        return check(facts["tags"], lambda tags: any(tag in value for tag in tags))
    return NO


def version(text):
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){0,3}", text):
        return None
    numbers = [int(part) for part in text.split(".")]
    return numbers + [0] * (4 - len(numbers))


def version_range(text):
    """The version of each sign, or None if the text is no range."""
    bounds = {}
    for part in text.split(" "):
        sign, digits = re.fullmatch(r"(>=|<|=)?(.*)", part).groups()
        if sign is None or sign in bounds or version(digits) is None:
            return None
        bounds[sign] = version(digits)
    if list(bounds) == [">=", "<"]:
        return bounds if bounds[">="] < bounds["<"] else None
    return bounds if len(bounds) == 1 else None


def matches(own, bounds):
    if own is None:
        return False
    return all({">=": own >= bound, "<": own < bound, "=": own == bound}[sign] for sign, bound in bounds.items())


# Experiments


def arm(experiment, client, holdout):
    if "arm" in experiment:
        return experiment["arm"]
    if experiment["state"] == "concluded":
        return experiment["winner"]
    if experiment["state"] == "draft":
        return experiment["default"]
    if client is UNKNOWN:
        return UNKNOWN
    if client is NOT_STATED:
        return experiment["default"]
    if holdout and place(holdout["salt"], client) < holdout["share"]:
        return experiment["default"]
    own = place(experiment["salt"], client)
    return next(name for name, ranges in experiment["arms"].items() if any(start <= own < end for start, end in ranges))


def place(salt, client):
    lower = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in f"{salt}/{client}".encode():
        value = (value ^ byte) * 0x100000001B3 & lower
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & lower
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & lower
    return (value ^ value >> 33) % 100


# Sections


def is_open(placement):
    return "target" in placement or "on" in placement


def fill(section, facts, arms, above):
    if "fill" not in section:
        return section
    size = section["fill"]["size"]

    possible = []
    for placement in section["items"]:
        if "pin" in placement and placement["pin"] >= size:
            continue
        if "target" in placement:
            reply = ask(placement["target"], facts, arms)
            if reply is NO:
                continue
            if reply is YES:
                del placement["target"]
            else:
                placement["target"] = reply
        if facts["platform"] is not UNKNOWN:
            if facts["platform"] is not NOT_STATED and "on" in placement and facts["platform"] not in placement["on"]:
                continue
            placement.pop("on", None)
        possible.append(placement)

    pins = [placement for placement in possible if "pin" in placement]
    shown = {pin["item"] for pin in pins if "item" in pin and not is_open(pin)}
    limit = size + sum("item" in pin and is_open(pin) for pin in pins)
    without = []
    for name in section["fill"].get("without", []):
        is_settled = True
        for other in above:
            if other["id"] != name and not other["id"].startswith(f"{name}/"):
                continue
            items = {placement["item"] for placement in other["items"] if "item" in placement}
            if "fill" in other or "target" in other:
                limit += min(len(items), other["fill"]["size"] if "fill" in other else len(items))
                is_settled = False
            else:
                shown |= items
        if not is_settled:
            without.append(name)

    everywhere, counts, left = 0, {}, []
    for placement in possible:
        if "pin" not in placement:
            if "item" in placement:
                if placement["item"] in shown:
                    continue
                shown.add(placement["item"])
            if "on" not in placement:
                everywhere += 1
                is_needed = everywhere <= limit
            else:
                is_needed = False
                for platform in placement["on"]:
                    before = counts.get(platform, 0)
                    is_needed = is_needed or everywhere + before < limit
                    counts[platform] = before + 1
            if not is_needed:
                continue
        left.append(placement)

    if any(map(is_open, left)) or without and any("pin" not in placement for placement in left):
        section["fill"]["without"] = without
        section["items"] = left
        return section
    section["items"] = shelf(left, size)
    minimum = max(1, section["fill"].get("minItems", 1))
    del section["fill"]
    return section if len(section["items"]) >= minimum else None


def shelf(placements, size):
    seen = set()

    def is_first(placement):
        item = placement.get("item")
        is_new = item is None or item not in seen
        seen.add(item)
        return is_new

    pins = sorted((placement for placement in placements if "pin" in placement), key=lambda placement: placement["pin"])
    pins = [pin for pin in pins if is_first(pin)]
    candidates = [placement for placement in placements if "pin" not in placement and is_first(placement)]
    result = []
    while len(result) < size:
        if pins and pins[0]["pin"] <= len(result):
            result.append(pins.pop(0))
        elif candidates:
            result.append(candidates.pop(0))
        elif pins:
            result.append(pins.pop(0))
        else:
            break
    return result


def resolve(page, facts):
    page = copy.deepcopy(page)
    facts = {name: facts.get(name, UNKNOWN) for name in FACTS}
    arms = {}
    for name, experiment in page.get("experiments", {}).items():
        arms[name] = arm(experiment, facts["client"], page.get("holdout"))
        if arms[name] is not UNKNOWN:
            page["experiments"][name] = {"arm": arms[name]}
    sections = []
    for section in page["sections"]:
        if "target" in section:
            reply = ask(section["target"], facts, arms)
            if reply is NO:
                continue
            if reply is YES:
                del section["target"]
            else:
                section["target"] = reply
        section = fill(section, facts, arms, sections)
        if section is not None:
            sections.append(section)
    page["sections"] = sections
    return page


# Locales


def parts(name):
    language, *others = name.split("-")
    script = next((part for part in others if len(part) == 4), None)
    return language, script, next((part for part in others if len(part) < 4), None)


def tag(*names):
    return "-".join(filter(None, names))


def canonical(name):
    language, script, region = parts(name)
    usual = LOCALES["scripts"].get(language)
    if usual is None:
        return name
    implied = LOCALES["scripts"].get(tag(language, region), usual) if region else usual
    if script is None:
        return name if implied == usual else tag(language, implied, region)
    return tag(language, region) if script == usual == implied else name


def spellings(name):
    language, script, region = parts(name)
    if language not in LOCALES["scripts"]:
        return [name]
    other = tag(language, region) if script else tag(language, LOCALES["scripts"][language], region)
    return [name, other] if canonical(other) == name else [name]


def parent(name):
    if name in LOCALES["parents"]:
        known = LOCALES["parents"][name]
        return None if known == "root" else canonical(known)
    return canonical(name.rsplit("-", 1)[0]) if "-" in name else None


def chain(name):
    result, name = [name], canonical(name)
    while name is not None:
        result += [spelling for spelling in spellings(name) if spelling not in result]
        name = parent(name)
    return result


# Tests


def comparable(value, name=None):
    """The value in a form that is equal for equal pages."""
    if isinstance(value, dict):
        return {key: comparable(element, key) for key, element in value.items() if element != [] or key != "without"}
    if isinstance(value, list):
        return sorted(value) if name == "on" else [comparable(element) for element in value]
    if name in ("appVersion", "os"):
        return version_range(value)
    return value


def test():
    vectors = json.loads((CONFIG / "resolve/vectors.json").read_text())
    for index, case in enumerate(vectors):
        edition, facts, resolved = case["edition"], case["facts"], comparable(case["resolved"])
        if comparable(resolve(edition, facts)) != resolved:
            sys.exit(f"port: case {index} differs: {json.dumps(resolve(edition, facts))} instead of {json.dumps(case['resolved'])}")
        # A different part of the facts first in each case, then all facts.
        some = {name: value for place, (name, value) in enumerate(facts.items()) if index >> place & 1}
        if comparable(resolve(resolve(edition, some), facts)) != resolved:
            sys.exit(f"port: case {index} differs in two steps, first with {json.dumps(some)}")
    lines = [line.split("\t") for line in (CONFIG / "locales/chains.tsv").read_text().splitlines() if not line.startswith("#")]
    for name, expected in lines:
        if " ".join(chain(name)) != expected:
            sys.exit(f"port: the chain of {name} is {' '.join(chain(name))}, not {expected}")
    print(f"port: {len(vectors)} pages in one and in two steps, and {len(lines)} chains of locales")


if __name__ == "__main__":
    test()
