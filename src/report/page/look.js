'use strict';
/*
 * A case counts as looked at when the pictures that are compared at its worst time, else its numbers, were on the
 * screen: decoded, nothing over them, for long enough, in a page that is visible; cell by cell, for they may be larger
 * than the window.
 */

const LOOK_STEP_MS = 50, LOOK_STEPS = 10, LOOK_CELLS = 6, LOOK_SHARE = 0.85;

const looked = new Set();    /* indices of cases */
let lookable = new Map();    /* index of a case -> () => the elements that show it here, none while they are not there */
const lookCounts = new WeakMap(); /* element -> for how many steps each of its cells has been on the screen */
let arrival = null;          /* how the page was scrolled when a case was opened whose pictures are still to come */

/* Says it of the open case. A picture that there is and that cannot be shown was not looked at. */
function evidence(result) {
    const {image} = result.times[firstTime(result)] || {image: {}};
    if (typeof image.golden === 'string' || typeof image.actual === 'string')
        return viewer && viewer.image === image && ['golden', 'actual', 'candidate'].every((kind) => !image[kind] || viewer.pair[kind])
            ? viewer.frames : [];
    return [['.errors', '.findings', '.stages', '.head'].map((what) => $('detail').querySelector(what)).find(Boolean)];
}

/* Says of the middle of each cell of an element whether it is on the screen. */
function cellsShown(element) {
    const box = element.getBoundingClientRect(), images = [element, ...element.querySelectorAll('img')];
    const mayBe = box.bottom > 0 && box.top < innerHeight &&
        images.every((image) => !(image instanceof HTMLImageElement) || image.naturalWidth > 0);
    return Array.from({length: LOOK_CELLS * LOOK_CELLS}, (_, i) => {
        const x = box.left + box.width * (i % LOOK_CELLS + 0.5) / LOOK_CELLS;
        const y = box.top + box.height * (Math.floor(i / LOOK_CELLS) + 0.5) / LOOK_CELLS;
        return mayBe && element.contains(document.elementFromPoint(x, y));
    });
}

function wasShown(element) {
    const before = lookCounts.get(element) || [];
    const now = cellsShown(element).map((isShown, i) => isShown ? (before[i] || 0) + 1 : before[i] >= LOOK_STEPS ? before[i] : 0);
    lookCounts.set(element, now);
    return now.filter((steps) => steps >= LOOK_STEPS).length >= LOOK_SHARE * now.length;
}

function lookOnce() {
    if (document.visibilityState !== 'visible')
        return;
    for (const [index, elementsOf] of lookable) {
        const elements = elementsOf();
        if (looked.has(index) || elements.map(wasShown).includes(false) || elements.length === 0)
            continue;
        looked.add(index);
        rows[index].classList.add('looked');
        updateAccept();
        document.dispatchEvent(new CustomEvent('looked', {detail: index}));
    }
}

const scrolled = () => scrollY + ' ' + $('detail').scrollTop;

/* Scrolls as little as it takes to have it on the screen; where there is no room for all, its first part. */
function showEvidence() {
    const elements = current === null ? [] : evidence(results.cases[current]);
    $('detail').scrollIntoView({block: 'start'});
    for (const element of [...elements].reverse())
        element.scrollIntoView({block: 'nearest'});
    arrival = elements.length === 0 ? scrolled() : null;
}

/* Shows a case that is to be accepted and that nobody has looked at, and says so over the page for a while. */
function lookFirst(index) {
    if (current !== index || time !== firstTime(results.cases[index]))
        openCase(index);
    showEvidence();
    clearTimeout(lookFirst.timer);
    $('said').replaceChildren(...prose('Look at it first: `' + results.cases[index].name + '` was not on the screen long enough.'));
    $('said').hidden = false;
    lookFirst.timer = setTimeout(() => { $('said').hidden = true; }, 4000);
}
