'use strict';
/* Going from case to case: by click, key and address. */

/* ---- address: #case or #case@0.250 ---- */

function hashOf() {
    if (current === null)
        return '#';
    const result = results.cases[current];
    const label = result.times.length > 1 ? '@' + result.times[time].label : '';
    return '#' + encodeURIComponent(result.name) + label;
}

function setHash() {
    try {
        history.replaceState(null, '', hashOf());
    } catch (refused) { /* some frames may not change their address */ }
}

/* {index, time} of the address; the overview is {index: null}. */
function readHash() {
    let name = location.hash.slice(1);
    try {
        name = decodeURIComponent(name);
    } catch (malformed) { /* taken as it is */ }
    const at = name.lastIndexOf('@');
    let index = results.cases.findIndex((result) => result.name === name), label = null;
    if (index < 0 && at >= 0) {
        index = results.cases.findIndex((result) => result.name === name.slice(0, at));
        label = name.slice(at + 1);
    }
    if (index < 0)
        return {index: null};
    const found = results.cases[index].times.findIndex((t) => t.label === label);
    return {index, time: found < 0 ? null : found};
}

/* ---- opening ---- */

function openCase(index, atTime) {
    const result = results.cases[index];
    current = index;
    markCurrent(index);
    showCase(index);
    time = 0;
    if (result.times.length > 0)
        showTime(atTime === null || atTime === undefined ? firstTime(result) : atTime);
    setHash();
    showEvidence();
    document.dispatchEvent(new Event('shown'));
}

function openOverview() {
    current = null;
    markCurrent(null);
    showOverview();
    setHash();
    document.dispatchEvent(new Event('shown'));
}

function openAddress() {
    const place = readHash();
    if (place.index === null)
        openOverview();
    else
        openCase(place.index, place.time);
}

/* To the next or previous failing case of those listed; where none of them fails, of all listed. */
function step(direction) {
    const failing = shown.filter((index) => fails(results.cases[index]));
    const stops = failing.length > 0 ? failing : shown;
    if (stops.length === 0)
        return;
    const at = stops.indexOf(current);
    const from = at >= 0 ? at : direction > 0 ? -1 : stops.length;
    openCase(stops[clamp(from + direction, 0, stops.length - 1)]);
}

function stepTime(direction) {
    const times = current === null ? 0 : results.cases[current].times.length;
    if (times > 0)
        showTime(clamp(time + direction, 0, times - 1));
}

/* ---- keys ---- */

const KEYS = [
    [['j', 'n'], 'next failing case', () => step(1)],
    [['k', 'p'], 'previous failing case', () => step(-1)],
    [['ArrowRight'], 'next time', () => stepTime(1)],
    [['ArrowLeft'], 'previous time', () => stepTime(-1)],
    [['1'], 'swipe between golden and actual', () => setMode('swipe')],
    [['2'], 'blink', () => setMode('blink')],
    [['3'], 'side by side', () => setMode('side')],
    [[' '], 'golden and actual in turns', () => blink()],
    [['f'], 'difference, FLIP, displacement', () => nextThird()],
    [['o'], 'outline of what differs', () => setOutline(!look.outline)],
    [['+', '='], 'zoom in', () => zoomBy(2)],
    [['-'], 'zoom out', () => zoomBy(0.5)],
    [['0'], 'whole picture', () => resetZoom()],
    [['a'], 'tick this case to accept it', () => tickCurrent()],
    [['/'], 'search', () => $('search').focus()],
    [['h'], 'overview', () => openOverview()],
    [['t'], 'theme', () => nextTheme()],
    [['?'], 'these keys', () => openHelp()],
];

const KEY_NAMES = {'ArrowRight': '\u2192', 'ArrowLeft': '\u2190', ' ': 'space'};

function tickCurrent() {
    if (current !== null && isAcceptable(results.cases[current]))
        setTick(current, !ticked.has(current));
}

function openHelp() {
    if (!$('help').open)
        $('help').showModal();
}

function makeHelp() {
    const namesOf = (keys) => keys.filter((key) => key !== '=').map((key) => KEY_NAMES[key] || key);
    $('help').append(make('h2', {id: 'help-title'}, 'Keys'), keyList(KEYS.map(([keys, what]) => [namesOf(keys), what])),
                     closeForm());
}

/* Returns whether the element wants the key for itself. */
function takesKey(element, key) {
    if (element.closest('dialog, .model-viewer'))
        return true;
    if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
        return true;
    if (element instanceof HTMLInputElement)
        return element.type === 'checkbox' ? key === ' ' : element.type === 'range' ? key.startsWith('Arrow') : true;
    return key === ' ' && element instanceof HTMLButtonElement;
}

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (event.key === 'Escape' && event.target === $('search')) {
        $('search').value = '';
        $('search').dispatchEvent(new Event('input'));
        $('search').blur();
        return;
    }
    const found = KEYS.find(([keys]) => keys.includes(event.key));
    if (!found || takesKey(event.target, event.key))
        return;
    event.preventDefault();
    found[2](event);
}

/* After a click, keys are for the page: a space then blinks instead of pressing the same button again. */
function releaseFocus(event) {
    const pressed = event.target instanceof Element && event.target.closest('button');
    if (pressed && event.detail > 0 && !pressed.closest('dialog'))
        pressed.blur();
}

/* ---- start ---- */

function start() {
    const {suite, shard} = results;
    $('suite').textContent = shard ? suite + ', shard ' + shard.number + ' of ' + shard.of : suite;
    $('verdict').textContent = pictureIndex.verdict;
    $('verdict').className = results.cases.some(fails) || results.not_run || results.missing ? 'bad' : 'good';
    setTheme(THEMES.includes(recall('theme')) ? recall('theme') : 'auto');
    $('theme').addEventListener('click', nextTheme);
    $('help-open').addEventListener('click', openHelp);
    $('overview-open').addEventListener('click', openOverview);
    makeHelp();
    startList();
    $('app').hidden = false;
    openAddress();
    window.addEventListener('hashchange', openAddress);
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', releaseFocus);
    setInterval(lookOnce, LOOK_STEP_MS);
}

start();
