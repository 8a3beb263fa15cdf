#!/usr/bin/env node
// A port of `resolve` to JavaScript that follows docs/porting.md, with its test. Programs import `resolve` and `chain`.
//
// Usage: config/resolve/port.mjs. Exits with 1 and prints the case if a page of vectors.json or a chain of chains.tsv
// differs.
//
// A fact is undefined if it is unknown, and null if the client does not state it. Values are searched by name only in a
// Map, because an experiment can have the name `constructor`, which every object inherits.

// Targets

/** Returns true, false, or the target with the conditions whose facts are unknown. */
function ask(target, facts, arms) {
    if (!isObject(target)) return false;
    const residual = [];
    for (const [name, value] of Object.entries(target)) {
        if (name === "experiment" && isObject(value)) {
            const unknown = [];
            for (const [experiment, names] of Object.entries(value)) {
                const reply = isList(names) && check(arms.has(experiment) ? arms.get(experiment) : null, (arm) => names.includes(arm));
                if (reply === false) return false;
                if (reply === undefined) unknown.push([experiment, names]);
            }
            if (unknown.length > 0) residual.push([name, Object.fromEntries(unknown)]);
        } else {
            const reply = condition(name, value, facts);
            if (reply === false) return false;
            if (reply === undefined) residual.push([name, value]);
        }
    }
    if (residual.length > 0) return Object.fromEntries(residual);
    return Object.keys(target).length > 0;
}

/** Returns undefined if the fact is unknown. */
function check(fact, test) {
    if (fact === undefined) return undefined;
    return fact !== null && test(fact);
}

function condition(name, value, facts) {
    switch (name) {
        case "storefronts":
            return isList(value) && check(facts.storefront, (key) => value.includes(key));
        case "locales":
            return isList(value) && check(facts.locale, (chain) => chain.some((tag) => value.includes(tag)));
        case "platforms":
            return isList(value) && check(facts.platform, (key) => value.includes(key));
        case "appVersion":
        case "os": {
            const range = versionRange(value);
            return range !== null && check(facts[name], (own) => matches(own, range));
        }
        case "tags":
            return isList(value) && check(facts.tags, (tags) => tags.some((tag) => value.includes(tag)));
        default:
            return false;
    }
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value) {
    return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === "string");
}

/** Returns four numbers, or null if the text is no version. */
function version(text) {
    if (typeof text !== "string" || !/^[0-9]{1,9}(\.[0-9]{1,9}){0,3}$/.test(text)) return null;
    const numbers = text.split(".").map(Number);
    return [...numbers, 0, 0, 0].slice(0, 4);
}

/** Returns the signs with their versions, or null if the text is no range. */
function versionRange(text) {
    if (typeof text !== "string") return null;
    const bounds = text.split(" ").map((part) => {
        const [, sign, digits] = /^(>=|<|=)(.*)$/s.exec(part) ?? [];
        return { sign, version: version(digits) };
    });
    if (bounds.some((bound) => bound.version === null)) return null;
    if (bounds.length === 1) return bounds;
    const [from, to] = bounds;
    const isRange = bounds.length === 2 && from.sign === ">=" && to.sign === "<" && compare(from.version, to.version) < 0;
    return isRange ? bounds : null;
}

function compare(one, other) {
    const index = one.findIndex((number, index) => number !== other[index]);
    return index < 0 ? 0 : one[index] - other[index];
}

function matches(own, range) {
    return range.every((bound) => {
        const order = compare(own, bound.version);
        return bound.sign === ">=" ? order >= 0 : bound.sign === "<" ? order < 0 : order === 0;
    });
}

/** Returns the facts with parsed versions. A client with an invalid version does not state it. */
function parsed(facts) {
    const parse = (text) => (text === undefined || text === null ? text : version(text));
    return { ...facts, appVersion: parse(facts.appVersion), os: parse(facts.os) };
}

// Experiments

/** Returns the arm of a client, or undefined if the client is unknown. */
function armOf(experiment, client, holdout) {
    if ("arm" in experiment) return experiment.arm;
    if (experiment.state === "concluded") return experiment.winner;
    if (experiment.state === "draft") return experiment.default;
    if (client === undefined) return undefined;
    if (client === null) return experiment.default;
    if (holdout && placeOf(holdout.salt, client) < holdout.share) return experiment.default;
    const place = placeOf(experiment.salt, client);
    return Object.keys(experiment.arms).find((name) => experiment.arms[name].some(([from, to]) => from <= place && place < to));
}

/** Returns the place of a client, from 0 to 99. */
export function placeOf(salt, client) {
    const lower = (number) => BigInt.asUintN(64, number);
    let hash = 0xcbf29ce484222325n;
    for (const byte of new TextEncoder().encode(`${salt}/${client}`)) hash = lower((hash ^ BigInt(byte)) * 0x100000001b3n);
    hash = lower((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
    hash = lower((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
    return Number((hash ^ (hash >> 33n)) % 100n);
}

// Sections

function isOpen(placement) {
    return "target" in placement || "on" in placement;
}

function isPin(placement) {
    return "pin" in placement;
}

/** Returns the placement without the conditions that hold, or null if this client does not see it. */
function seen(placement, facts, arms, size) {
    if (isPin(placement) && placement.pin >= size) return null;
    const { target, on, ...rest } = placement;
    if (target !== undefined) {
        const reply = ask(target, facts, arms);
        if (reply === false) return null;
        if (reply !== true) rest.target = reply;
    }
    if (on !== undefined) {
        if (typeof facts.platform === "string" && !on.includes(facts.platform)) return null;
        if (facts.platform === undefined) rest.on = on;
    }
    return rest;
}

function itemsOf(placements) {
    return new Set(placements.filter((placement) => "item" in placement).map((placement) => placement.item));
}

/** Returns null if the shelf has too few placements. */
function filled(section, facts, arms, above) {
    if (!("fill" in section)) return section;
    const { fill, items, ...rest } = section;
    const possible = items.map((placement) => seen(placement, facts, arms, fill.size)).filter((placement) => placement !== null);

    // The items that are already shown, and the number of candidates that a client can need.
    const pins = possible.filter(isPin);
    const shown = itemsOf(pins.filter((pin) => !isOpen(pin)));
    let limit = fill.size + pins.filter((pin) => isOpen(pin) && "item" in pin).length;
    const without = (fill.without ?? []).filter((id) => {
        let isSettled = true;
        for (const other of above.filter((other) => other.id === id || other.id.startsWith(`${id}/`))) {
            const others = itemsOf(other.items);
            if ("fill" in other || "target" in other) {
                isSettled = false;
                limit += Math.min(others.size, other.fill?.size ?? others.size);
            } else {
                for (const item of others) shown.add(item);
            }
        }
        return !isSettled;
    });

    // The pins, and the candidates that a client can need.
    let everywhere = 0;
    const counts = new Map();
    const left = possible.filter((placement) => {
        if (isPin(placement)) return true;
        if ("item" in placement) {
            if (shown.has(placement.item)) return false;
            shown.add(placement.item);
        }
        if (!("on" in placement)) {
            everywhere += 1;
            return everywhere <= limit;
        }
        let isNeeded = false;
        for (const platform of placement.on) {
            const before = counts.get(platform) ?? 0;
            isNeeded ||= everywhere + before < limit;
            counts.set(platform, before + 1);
        }
        return isNeeded;
    });

    if (left.some(isOpen) || (without.length > 0 && !left.every(isPin))) {
        return { ...rest, fill: { ...fill, without }, items: left };
    }
    const placements = shelf(left, fill.size);
    return placements.length >= Math.max(1, fill.minItems ?? 1) ? { ...rest, items: placements } : null;
}

function shelf(placements, size) {
    const used = new Set();
    const isFirst = ({ item }) => {
        if (item === undefined) return true;
        const isNew = !used.has(item);
        used.add(item);
        return isNew;
    };
    // The sort is stable.
    const pins = placements.filter(isPin).sort((one, other) => one.pin - other.pin).filter(isFirst);
    const candidates = placements.filter((placement) => !isPin(placement)).filter(isFirst);
    const result = [];
    while (result.length < size) {
        const isPinNext = pins.length > 0 && (pins[0].pin <= result.length || candidates.length === 0);
        const next = isPinNext ? pins.shift() : candidates.shift();
        if (next === undefined) break;
        result.push(next);
    }
    return result;
}

/** Returns the page with the facts applied. It does not change its parameters. */
export function resolve(page, facts) {
    const known = parsed(facts);
    const arms = new Map();
    for (const [name, experiment] of Object.entries(page.experiments ?? {})) {
        arms.set(name, armOf(experiment, known.client, page.holdout));
    }
    const sections = [];
    for (const section of page.sections) {
        const { target, ...rest } = section;
        if (target !== undefined) {
            const reply = ask(target, known, arms);
            if (reply === false) continue;
            if (reply !== true) rest.target = reply;
        }
        const resolved = filled(rest, known, arms, sections);
        if (resolved !== null) sections.push(resolved);
    }
    const result = { ...page, sections };
    if (page.experiments) {
        const experiments = Object.entries(page.experiments).map(([name, experiment]) => {
            const arm = arms.get(name);
            return [name, arm === undefined ? experiment : { arm }];
        });
        result.experiments = Object.fromEntries(experiments);
    }
    return result;
}

// Locales

function partsOf(name) {
    const [language, ...others] = name.split("-");
    return { language, script: others.find((part) => part.length === 4), region: others.find((part) => part.length < 4) };
}

function tag(...parts) {
    return parts.filter((part) => part !== undefined).join("-");
}

/** Returns a locale and its fallback locales. `locales` is the content of config/locales/parents.json. */
export function chain(name, locales) {
    const parents = new Map(Object.entries(locales.parents));
    const scripts = new Map(Object.entries(locales.scripts));

    function canonical(name) {
        const { language, script, region } = partsOf(name);
        const usual = scripts.get(language);
        if (usual === undefined) return name;
        const implied = (region === undefined ? undefined : scripts.get(tag(language, region))) ?? usual;
        if (script === undefined) return implied === usual ? name : tag(language, implied, region);
        return script === usual && script === implied ? tag(language, region) : name;
    }

    function spellings(name) {
        const { language, script, region } = partsOf(name);
        if (!scripts.has(language)) return [name];
        const other = script === undefined ? tag(language, scripts.get(language), region) : tag(language, region);
        return canonical(other) === name ? [name, other] : [name];
    }

    function parent(name) {
        const known = parents.get(name);
        if (known !== undefined) return known === "root" ? null : canonical(known);
        return name.includes("-") ? canonical(name.slice(0, name.lastIndexOf("-"))) : null;
    }

    const result = new Set([name]);
    for (let next = canonical(name); next !== null; next = parent(next)) {
        for (const spelling of spellings(next)) result.add(spelling);
    }
    return [...result];
}

// Tests

async function test() {
    const { readFileSync } = await import("node:fs");
    const { isDeepStrictEqual } = await import("node:util");
    const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
    const fail = (text) => {
        console.error(`port: ${text}`);
        process.exit(1);
    };

    /** Returns the value in a form that is equal for equal pages. */
    function comparable(value, name) {
        if (name === "on") return [...value].sort();
        if (name === "appVersion" || name === "os") return versionRange(value);
        if (Array.isArray(value)) return value.map((element) => comparable(element));
        if (!isObject(value)) return value;
        const members = Object.entries(value).filter(([name, element]) => name !== "without" || element.length > 0);
        return Object.fromEntries(members.map(([name, element]) => [name, comparable(element, name)]));
    }

    const vectors = JSON.parse(read("vectors.json"));
    vectors.forEach(({ edition, facts, resolved }, index) => {
        const expected = comparable(resolved);
        const page = resolve(edition, facts);
        if (!isDeepStrictEqual(comparable(page), expected)) {
            fail(`case ${index} differs: ${JSON.stringify(page)} instead of ${JSON.stringify(resolved)}`);
        }
        // Another part of the facts first in each case, then all facts.
        const some = Object.fromEntries(Object.entries(facts).filter((_, place) => (index >> place) & 1));
        if (!isDeepStrictEqual(comparable(resolve(resolve(edition, some), facts)), expected)) {
            fail(`case ${index} differs in two steps, first with ${JSON.stringify(some)}`);
        }
    });
    const locales = JSON.parse(read("../locales/parents.json"));
    const lines = read("../locales/chains.tsv").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const [name, expected] of lines.map((line) => line.split("\t"))) {
        const found = chain(name, locales).join(" ");
        if (found !== expected) fail(`the chain of ${name} is ${found}, not ${expected}`);
    }
    console.log(`port: ${vectors.length} pages in one and in two steps, and ${lines.length} chains of locales`);
}

const program = globalThis.process?.argv?.[1];
if (program !== undefined && import.meta.url.endsWith(`/${program.split("/").pop()}`)) await test();
