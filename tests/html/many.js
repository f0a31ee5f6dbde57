'use strict';
/* 500 cases, 450 pictures: the page does no more than it must. Counted in nodes, the same on every machine. */

let added = 0;
new MutationObserver((records) => {
    for (const record of records)
        for (const node of record.addedNodes)
            added += 1 + (node.querySelectorAll ? node.querySelectorAll('*').length : 0);
}).observe(document.getElementById('app'), {childList: true, subtree: true});

/* Nodes that an action adds. */
async function nodesOf(action) {
    await pause(20);
    added = 0;
    await action();
    await pause(20);
    return added;
}

function openingIsCheap() {
    equal(listed().length, 500, 'cases');
    yes(all('#cases *').length <= 500 * 6, 'a case takes at most 6 elements: ' + all('#cases *').length);
    yes(all('#detail *').length < 300, 'the overview is small: ' + all('#detail *').length);
    yes(seen.open <= 24, 'no more pictures are decoded than the overview shows: ' + seen.open);
}

async function aCaseIsCheap() {
    const nodes = await nodesOf(async () => {
        press('j');
        await until(() => all('#pictures .frame').length > 0, 'pictures');
    });
    yes(nodes < 900, 'nodes for a case: ' + nodes);
    equal(seen.open, 6, 'pictures of this case alone: three thumbnails, the golden, the heat map and the displacement of one time');
}

async function filteringBuildsNothing() {
    const nodes = await nodesOf(() => {
        click('#statuses [data-status=fail]');
        type('#search', 'walker');
    });
    equal(listed().length, 50, 'those that fail');
    yes(nodes < 100, 'nodes for a filter: ' + nodes);
    click('#reset');
}

async function nothingPilesUp() {
    const before = all('#app *').length;
    for (let i = 0; i < 30; i++) {
        press('j');
        await pause(5);
    }
    for (let i = 0; i < 30; i++)
        press('k');
    await until(() => all('#pictures .frame').length > 0, 'pictures');
    equal(text('#detail h2'), 'walker-walk-fbx-1', 'back at the first');
    yes(Math.abs(all('#app *').length - before) < 50, 'elements: ' + before + ', later ' + all('#app *').length);
    equal(seen.open, 6, 'pictures that are open');
    yes(seen.mostOpen <= 24, 'pictures that were open at a time, a screen of the overview: ' + seen.mostOpen);
}

function isOpenCaseInTheList() {
    const row = one('#cases .current').getBoundingClientRect(), list = one('#cases').getBoundingClientRect();
    return row.top >= list.top - 3 && row.bottom <= list.bottom + 3;
}

/* Heights of rows that were never seen are guesses. */
async function aCaseFarDownIsSeen() {
    for (const index of [shown[140], shown[400], shown[7]]) { /* those that fail have rows higher than the guess */
        $('cases').scrollTop = 0;
        openCase(index);
        await until(isOpenCaseInTheList, 'case ' + index + ' in the list');
    }
    openOverview();
}

/* The list is there before the pictures, which are the most of a big page: one that has not come yet is waited for. */
async function picturesMayComeLater() {
    const scripts = all('script:not([type])'), embedded = all('script[type="text/plain"]');
    const own = scripts.find((script) => script.textContent.includes('function openPicture'));
    yes(embedded.every((picture) => own.compareDocumentPosition(picture) & Node.DOCUMENT_POSITION_FOLLOWING), 'pictures come last');
    openOverview();
    const place = embedded[0].parentNode;
    Object.defineProperty(document, 'readyState', {configurable: true, value: 'loading'});
    embedded.forEach((picture) => picture.remove());
    press('j');
    await pause(120);
    equal(all('#pictures .frame').length, 0, 'frames of a picture that is not there');
    yes(text('#detail h2') === 'walker-walk-fbx-1', 'the case is shown all the same');
    const before = seen.open;
    press('j'); /* its pictures are not waited for any more */
    press('k');
    await pause(60);
    place.append(...embedded);
    await until(() => all('#pictures .frame').length > 0, 'pictures that came');
    await until(() => all('.times img').every((image) => image.src), 'thumbnails');
    equal([before, seen.open], [0, 6], 'pictures that are open');
    delete document.readyState;
    openOverview();
}

async function tickingAllIsOneCommand() {
    openCase(shown[140]);
    await until(isOpenCaseInTheList, 'the case in the list');
    rows.forEach((row, index) => looked.add(index));
    updateAccept();
    click('#tick-all');
    equal(text('#accept code').split(' --filter ').length - 1, 150, 'cases in the command');
    await until(isOpenCaseInTheList, 'the case above the command');
}

run([openingIsCheap, aCaseIsCheap, filteringBuildsNothing, nothingPilesUp, aCaseFarDownIsSeen, picturesMayComeLater, tickingAllIsOneCommand]);
