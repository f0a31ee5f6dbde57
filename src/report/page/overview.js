'use strict';
/* The run as a whole: how it ended, and what failing cases have in common. */

function tallyBar() {
    const tally = STATUSES.map((status) => [status, results.cases.filter((result) => result.status === status).length])
        .filter(([, number]) => number > 0);
    return make('div', {class: 'tally', 'aria-hidden': 'true'}, ...tally.map(([status, number]) => {
        const part = make('span', {class: statusTone(status), title: number + ' ' + status});
        part.style.flexGrow = number;
        return part;
    }));
}

/* Counts how often each value occurs, most first. */
function ranking(values) {
    const counts = new Map();
    for (const value of values)
        counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/* [[name, number]] with a bar each; a name is a link that does something with it. */
function linkList(pairs, action) {
    return barList(pairs.map(([name, number]) => [button(prose(name, ''), () => action(name), {class: 'link', title: name}), number]), 'ranking');
}

function culprits() {
    const failing = results.cases.filter(fails);
    const pairs = STAGES.map((stage) => [stage, failing.filter((result) => result.stage === stage).length])
        .filter(([, number]) => number > 0);
    return pairs.length > 0 && section('First stage that differs', linkList(pairs, (stage) => {
        $('stage').value = filter.stage = stage;
        updateList();
    }));
}

function searchFor(text) {
    $('search').value = text;
    $('search').dispatchEvent(new Event('input'));
}

/* One cause often fails many cases in the same words. */
function commonWords() {
    const words = results.cases.filter((result) => fails(result) && result.headline).map((result) => result.headline);
    const pairs = ranking(words).filter(([, number]) => number > 1).slice(0, 10);
    return pairs.length > 0 && section('What several failing cases say', linkList(pairs, searchFor));
}

/* Lists the bones and nodes that move at the culprit in failing cases. */
function commonBones() {
    const names = results.cases.filter(fails).flatMap((result) =>
        [...new Set(result.bones.filter((bone) => bone.stage === result.stage).map((bone) => bone.bone))]);
    const pairs = ranking(names).filter(([, number]) => number > 1).slice(0, 10);
    return pairs.length > 0 && section('Bones that several failing cases share', linkList(pairs, searchFor));
}

function driftNote() {
    const drifting = results.cases.filter((result) => result.status === 'drift');
    if (drifting.length === 0)
        return null;
    const words = 'In ' + count(drifting.length, 'case') + ' every number agrees and pixels differ a little, and the ' +
        'goldens were recorded with another setup. ' +
        (results.strict ? 'With --strict that is a failure.' : 'That is no failure; --strict makes it one.');
    return section('Drift', note(words), fingerprintTable(drifting[0]));
}

function shaderNote() {
    const warnings = results.shader_warnings || [];
    return warnings.length === 0 ? null
        : section('Your shaders', make('ul', {class: 'plain'}, ...warnings.map((words) => make('li', {}, words))));
}

function notRunNote() {
    const names = results.not_run || [];
    return names.length === 0 ? null
        : section('Not run', make('ul', {class: 'plain columns'}, ...names.map((name) => make('li', {}, name))));
}

function obsoleteNote() {
    if (results.obsolete.length === 0)
        return null;
    return section('Obsolete goldens', note('No case uses these. They can be removed with'),
                   commandLine(results.prune || 'rigproof accept ' + shellWord(results.suite) + ' --prune'),
                   make('ul', {class: 'plain'}, ...results.obsolete.map((path) => make('li', {}, path))));
}

/* ---- pictures ---- */

/* The time whose picture stands for the case: its worst, else the first that has one. */
function pictureOf(result) {
    const has = ({image}) => image.state !== 'none' && (hasPicture(image.actual) || hasPicture(image.golden));
    const worst = result.times.length > 0 && result.times[firstTime(result)];
    const {image} = worst && has(worst) ? worst : result.times.find(has) || {};
    return image ? {path: hasPicture(image.actual) ? image.actual : image.golden, image} : null;
}

const GALLERY_STEP = 40; /* so many more when the last one comes into view */

/* A picture of each listed case that has one, each decoded or asked for when it comes into view. */
function fillGallery(list) {
    const stops = shown.map((index) => [index, pictureOf(results.cases[index])]).filter(([, found]) => found);
    const observer = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({target}) => {
        observer.unobserve(target);
        const {path, image} = stops[Number(target.dataset.stop)][1];
        showThumbnail(target.querySelector('.thumb'), path, image);
        if (Number(target.dataset.stop) === list.children.length - 1)
            add();
    }), {rootMargin: '300px'});
    function add() {
        const first = list.children.length;
        for (const [index] of stops.slice(first, first + GALLERY_STEP)) {
            const result = results.cases[index];
            const item = make('li', {'data-stop': list.children.length, class: statusTone(result.status)},
                button([span('thumb'), span('name', result.name)], () => openCase(index),
                       {title: result.status + (sentence(result) ? ': ' + sentence(result) : '')}));
            list.append(item);
            observer.observe(item);
        }
    }
    list.replaceChildren();
    add();
    return stops.length;
}

let refillGallery = null; /* after the list has changed; null: there is none */

function gallery() {
    const list = make('ol', {class: 'gallery'});
    const has = fillGallery(list) > 0;
    refillGallery = has ? () => fillGallery(list) : null;
    return has && section('Pictures', list);
}

function runFacts() {
    const facts = [['Suite', results.suite], ['Goldens', results.goldens],
                   ['rigproof', Object.hasOwn(results.fingerprint, 'rigproof') ? '' : results.rigproof],
                   ['Shard', results.shard && results.shard.number + ' of ' + results.shard.of],
                   ['Judged again', results.judged], ['Drift', results.strict ? 'fails (--strict)' : 'does not fail'],
                   ...Object.entries(results.fingerprint)];
    const lines = facts.filter(([, value]) => value).map(([name, value]) => make('tr', {}, rowHead(name), cell(value)));
    return section('This run', make('table', {class: 'fingerprint'}, make('tbody', {}, ...lines)));
}

function showOverview() {
    clearDetail();
    const failing = results.cases.some(fails), bad = failing || results.not_run || results.missing;
    const first = failing && button('Open the first failing case', () => step(1), {class: 'primary', id: 'first'});
    fillDetail(
        make('div', {class: 'head'}, make('h2', {class: bad ? 'bad' : 'good'}, pictureIndex.verdict), tallyBar(), first),
        notRunNote(), culprits(), commonWords(), commonBones(), gallery(), driftNote(), shaderNote(), obsoleteNote(), runFacts());
}
