'use strict';
/* A report of ten cases of which some fail, used as a person would. `results_file folder` says what is in it. */

/* An end of a script in a script would be its own. */
const EVIL = '<script>alert(1)<\/script>"\'&\x1b[31m\n::warning::x %0A ]]> ##[error]';
const SHOWN = EVIL.replace('\x1b', '\\u001b').replace('\n', '\\u000a'); /* what is hidden in it is escaped */
const FIRST = 'walker-walk-fbx-1';

async function openFirst() {
    click('#overview-open');
    press('j');
    await until(() => document.querySelectorAll('#pictures .frame').length > 0, 'pictures');
}

/* ---- list and filters ---- */

function opensWithTheOverview() {
    equal(text('#detail h2'), '3 of 10 cases fail', 'headline');
    equal(one('#verdict').className, 'bad', 'verdict');
    equal(listed().length, 10, 'cases');
    equal(listed().slice(0, 3), [FIRST, 'walker-new-6', 'no-such-clip-8'], 'failing ones first');
    equal(texts('.case .what').length, 10, 'sentences');
    yes(texts('.case .what').every((words) => !words.includes('`')), 'names in the list are code');
    results.cases.forEach((result, i) => result.status !== 'pass' ||
        equal(text('#cases li:nth-child(' + ([...$('cases').children].indexOf(rows[i]) + 1) + ') .what'), '', 'a case that passes says nothing'));
    yes(seen.open <= 3, 'no more pictures are open than failing cases are shown: ' + seen.open);
}

function chipsFilter() {
    click('#statuses [data-status=fail]');
    equal(listed(), [FIRST], 'only fail');
    equal(one('#statuses [data-status=fail]').getAttribute('aria-pressed'), 'true', 'pressed');
    click('#statuses [data-status=missing]');
    equal(listed(), [FIRST, 'walker-new-6'], 'fail and missing');
    click('#statuses [data-status=fail]');
    equal(listed(), ['walker-new-6'], 'only missing');
    click('#statuses [data-status=""]');
    equal(listed().length, 10, 'all again');
    equal(text('#statuses [data-status=pass] b'), '6', 'count of those that pass');
}

function selectsFilter() {
    choose('#stage', 'palette');
    equal(listed(), [FIRST], 'stage');
    choose('#stage', '');
    choose('#tag', 'fbx');
    equal(listed(), [FIRST], 'tag');
    choose('#tag', '');
    choose('#order', 'suite');
    equal(listed().slice(0, 3), ['walker-walk-0', FIRST, 'walker-walk-2'], 'the suite\'s order');
    choose('#order', 'failing');
    equal(listed()[0], FIRST, 'failing first');
}

function searchFilters() {
    type('#search', 'HAND.l  walker');
    equal(listed(), [FIRST], 'by bone');
    type('#search', '<script>');
    equal(listed(), [FIRST, 'no-such-clip-8'], 'by a name of ill will');
    type('#search', 'nothing has this');
    equal(listed(), [], 'none');
    equal(one('#none').hidden, false, 'it says so');
    click('#reset');
    equal(listed().length, 10, 'all again');
}

/* ---- a case ---- */

async function keysLeadThroughFailures() {
    await openFirst();
    equal(text('#detail h2'), FIRST, 'first');
    equal(location.hash, '#' + FIRST + '@0.000', 'address');
    press('n');
    equal(text('#detail h2'), 'walker-new-6', 'second');
    press('j');
    press('j');
    equal(text('#detail h2'), 'no-such-clip-8', 'stays at the last');
    press('k');
    press('p');
    equal(text('#detail h2'), FIRST, 'back');
    equal(one('#cases .current .name').textContent, FIRST, 'marked in the list');
    click('#next');
    equal(text('#detail h2'), 'walker-new-6', 'by button');
}

async function stagesAreAStrip() {
    await openFirst();
    const states = all('.stages li').map((stage) => stage.className);
    equal(states, ['passed', 'passed', 'differs', 'passed', 'explained'], 'states');
    equal(text('.stages [data-stage=draw] .state'), 'explained by palette', 'explained');
}

async function namesStayText() {
    await openFirst();
    yes(texts('.bones tbody td:first-child').includes(SHOWN), 'the bone of ill will is in the table');
    equal(all('#app script').length, 0, 'scripts');
    press('j');
    press('j');
    yes(text('.headline').includes('<script>alert(1)<\/script>'), 'it is in the headline');
    equal(all('#app script').length, 0, 'scripts');
}

async function timesAreChosen() {
    await openFirst();
    const now = () => all('.time').findIndex((time) => time.getAttribute('aria-pressed') === 'true');
    equal(now(), 0, 'first');
    press('ArrowRight');
    press('ArrowRight');
    press('ArrowRight');
    equal(now(), 2, 'stays at the last');
    equal(location.hash, '#' + FIRST + '@0.200', 'address');
    press('ArrowLeft');
    equal(now(), 1, 'back');
    one('.plot .palette circle:nth-of-type(3)').dispatchEvent(new MouseEvent('click', {bubbles: true}));
    equal(now(), 2, 'by the plot');
    click('.heat td');
    equal(now(), 0, 'by the heat map');
    equal(all('.heat td.now').length, 2, 'a column is marked');
    equal(all('.time img').length, 3, 'thumbnails');
    click('.time:nth-child(2)');
    equal(now(), 1, 'by its button');
}

async function bonesAreSorted() {
    await openFirst();
    const first = () => text('.bones tbody td');
    equal(first(), SHOWN, 'largest displacement');
    equal(one('.bones [aria-sort=descending]').textContent, 'Displacement', 'marked');
    click('.bones [data-sort=degrees]');
    equal(first(), 'hand.L', 'what is not known comes last');
    click('.bones [data-sort=bone]');
    equal(first(), SHOWN, 'by name');
    equal(one('.bones [aria-sort=ascending]').textContent, 'Bone', 'marked');
}

async function restOfACase() {
    await openFirst();
    equal(texts('.fingerprint .differing th'), ['renderer', 'mesa'], 'fingerprint');
    equal(all('.findings li').map((item) => item.className), ['', '', 'benign', ''], 'findings');
    yes(text('#detail').includes('and 5 more'), 'those left out');
    equal(texts('.movers .cut'), ['hand.L', 'lower arm.L'], 'bones of the changed pixels');
    yes(text('.errors .over').includes('palette'), 'beyond the limit');
    equal(all('.plot .limit').length, 2, 'limits: one of shell and skin, one of pixels');
    equal(all('.heat td.unknown').length, 1, 'not compared');
}

/* Of a wide tolerance for the shader and a narrow one for another case that failed the narrow one counts. */
async function skinIsJudgedByItsFindings() {
    const result = {tolerance: {skin: 0.1, agree: 1e-5, shell: 1e-5}, findings_left_out: 0,
                    findings: [{stage: 'skin', benign: false, time: 1, tolerance: 'agree'}]};
    const at = (time) => judgeError(result, 'skin', {time, error: {skin: 0.01}});
    equal([at(1).limit, at(1).isOver, at(2).limit, at(2).isOver], [1e-5, true, 0.1, false], 'one measure is beyond');
}

async function missingPicturesAreTold() {
    location.hash = '#walker-new-6';
    await until(() => text('#detail h2') === 'walker-new-6', 'the address');
    yes(text('.note.missing').includes('cannot open'), 'why');
}

/* ---- pictures ---- */

const corners = () => texts('#pictures .corner');

async function modesChange() {
    await openFirst();
    press('1');
    equal(corners(), ['golden', 'actual', 'difference \u00d716'], 'swipe');
    press('3');
    equal(corners(), ['golden', 'actual', 'difference \u00d716'], 'side by side');
    equal(all('#pictures .pane').length, 3, 'panes');
    press('f');
    equal(corners()[2], 'FLIP', 'heat map');
    press('f');
    equal(corners()[2], 'displacement', 'what moved');
    press('f');
    equal(corners()[2], 'difference \u00d716', 'and around');
    equal(all('[data-third]').length, 3, 'buttons');
    press('2');
    equal(corners().length, 2, 'blink');
    click('[data-mode=swipe]');
    equal(one('[data-mode=swipe]').getAttribute('aria-pressed'), 'true', 'by button');
}

/* At first sight: nothing of the pictures is below the screen, and what loosens the case is folded away. */
async function picturesComeFirst() {
    press('3');
    await openFirst();
    for (const frame of all('#pictures .frame')) {
        const box = frame.getBoundingClientRect();
        yes(box.top >= 0 && box.bottom <= innerHeight, 'a picture from ' + box.top + ' to ' + box.bottom + ' of ' + innerHeight);
    }
    equal(all('#pictures .frame').length, 3, 'pictures');
    const {image} = results.cases.find((result) => result.name === FIRST).times[0];
    press('1');
    await openFirst();
    equal(Math.round(one('#swipe').value), Math.round(100 * (image.box[0] + image.box[2] / 2) / image.width), 'the edge is on the change');
    equal(all('.time .changed').length, results.cases.find((result) => result.name === FIRST).times
        .filter((t) => t.image.state === 'differs' && t.image.box[2] > 0).length, 'thumbnails with their box');
    if (document.querySelector('#passes'))
        equal(one('#passes').open, false, 'the tolerance is folded');
    press('3');
    press('+');
    press('n');
    await openFirst();
    equal(text('.zoom'), '200\u00a0%', 'the zoom is kept from case to case');
    press('0');
}

function namesLeaveOutTheirPrefix() {
    equal(commonPrefix(['mixamorig:Hips', 'mixamorig:Spine', 'Armature']), 'mixamorig:', 'of those that have one');
    equal([commonPrefix(['a:b', 'c:d']), commonPrefix(['a:b', 'a:b']), commonPrefix([])], ['', '', ''], 'none');
    equal([withoutPrefix('mixamorig:Hips', 'mixamorig:'), withoutPrefix('mixamorig:', 'mixamorig:')], ['Hips', 'mixamorig:'], 'rest');
    equal(nameElement('mixamorig:Hips', 'mixamorig:').title, 'mixamorig:Hips', 'the whole is the tooltip');
    const bone = (name) => ({bone: 'mixamorig:' + name}), said = prose('`mixamorig:Hips` turned', prefixOf(
        {bones: [bone('Hips')], times: [{image: {bones: [bone('Spine')]}}], curve: null}));
    equal([said[1].textContent, said[1].title, said[2]], ['Hips', 'mixamorig:Hips', ' turned'], 'in a sentence');
}

async function sliderSwipes() {
    await openFirst();
    press('1');
    type('#swipe', '25');
    yes(one('.clip').style.clipPath.endsWith('25%)'), 'cut at a quarter: ' + one('.clip').style.clipPath);
    equal(one('.divider').style.left, '25%', 'divider');
    one('[data-kind=swipe] .frame').setPointerCapture = () => {};
    point('pointerdown', '[data-kind=swipe] .frame', 0.75, 0.1);
    equal(Math.round(parseFloat(one('.divider').style.left)), 75, 'dragged');
    equal(Math.round(one('#swipe').value), 75, 'the slider follows');
}

async function spaceBlinks() {
    await openFirst();
    press('1');
    press(' ');
    equal(all('[data-kind=blink]').length, 1, 'space comes from any mode');
    const before = text('[data-kind=blink] .corner');
    press(' ');
    const after = text('[data-kind=blink] .corner');
    equal([before, after].sort(), ['actual', 'golden'], 'in turns');
    equal(all('[data-kind=blink] .layer')[1].hidden, after === 'golden', 'the layer above');
    click('#auto');
    await until(() => text('[data-kind=blink] .corner') !== after, 'by itself');
    click('#auto');
    press(' ', one('#theme'));
    press(' ', one('#search'));
    press('1');
}

/* The square stands at 8 in the golden and at 9 in the first picture: column 8 differs. */
async function pixelsAreRead() {
    await openFirst();
    press('3');
    press('0');
    point('pointermove', '[data-kind=golden] .frame', 8.5 / 64, 20.5 / 48);
    equal(text('.place .number'), '8, 20', 'where');
    equal(texts('.pixel .number'), ['200 60 20', '128 128 128', '72 68 108'], 'colours');
    const canvas = one('[data-kind=difference] canvas').getContext('2d');
    equal([...canvas.getImageData(8, 20, 1, 1).data], [255, 255, 255, 255], 'difference where it differs');
    equal([...canvas.getImageData(12, 20, 1, 1).data], [80, 24, 8, 255], 'the golden, dim, where it does not');
    equal([...canvas.getImageData(24, 20, 1, 1).data], [255, 255, 255, 255], 'difference at the other edge');
    equal([...canvas.getImageData(25, 20, 1, 1).data], [51, 51, 51, 255], 'and beyond');
}

async function zoomIsOneForAll() {
    await openFirst();
    press('3');
    press('0');
    const transforms = () => new Set(all('#pictures .layer').map((layer) => layer.style.transform));
    equal(transforms().size, 1, 'the same');
    const before = [...transforms()][0];
    press('+');
    equal(transforms().size, 1, 'the same, larger');
    yes([...transforms()][0] !== before, 'it is larger');
    equal(text('.zoom'), '200\u00a0%', 'it says so');
    press('-');
    equal([...transforms()][0], before, 'and back');
    const wheel = new WheelEvent('wheel', {deltaY: -1, cancelable: true});
    one('#pictures .frame').dispatchEvent(wheel);
    equal(wheel.defaultPrevented, false, 'a wheel alone scrolls the page');
    one('#pictures .frame').dispatchEvent(new WheelEvent('wheel', {deltaY: -1, ctrlKey: true, cancelable: true}));
    equal(text('.zoom'), '125\u00a0%', 'with Ctrl it zooms');
    press('0');
}

async function outlineIsDrawn() {
    await openFirst();
    const scale = one('#pictures .frame').clientWidth / 64;
    equal(Math.round(parseFloat(one('.outline').style.left)), Math.round(8 * scale - 3), 'left');
    equal(Math.round(parseFloat(one('.outline').style.width)), Math.round(17 * scale + 6), 'width');
    press('o');
    equal(all('.frame .outline').every((outline) => outline.hidden), true, 'gone');
    press('o');
}

async function sizesAreTold() {
    await openFirst();
    press('ArrowRight');
    press('ArrowRight');
    await until(() => document.querySelector('#pictures .note'), 'a note');
    equal(text('#pictures .note'), 'golden has 64 \u00d7 48 pixels, actual has 128 \u00d7 48 pixels', 'sizes');
    equal(corners(), ['golden', 'actual'], 'both are shown');
    equal(all('[data-mode]').length, 0, 'and nothing to compare them by');
    for (const key of ['1', '2', ' ', '3', 'f', 'o', '+', '0'])
        press(key);
    equal(corners(), ['golden', 'actual'], 'whatever is pressed');
    press('f');
    press('o');
}

async function picturesAreReleased() {
    await openFirst();
    equal(seen.open, 6, 'three thumbnails, the golden, the heat map and the displacement of one time');
    press('ArrowRight');
    press('ArrowRight');
    equal(seen.open, 10, 'golden, actual and heat map of three times, the displacement of one');
    click('#overview-open');
    equal(seen.open, 0, 'none is held');
}

/* ---- commands ---- */

const command = () => text('#accept code');

const wasLookedAt = (name) => all('#cases .looked .name').some((place) => place.textContent === name);

/* What was on the screen is marked, and nothing else can be ticked. */
async function onlyWhatWasLookedAtIsTicked() {
    looked.clear();
    rows.forEach((row) => row.classList.remove('looked'));
    openOverview();
    updateAccept();
    equal(all('#tick-all').length, 0, 'nobody has looked at any');
    one('#cases li:nth-child(2) input').click();
    equal([text('#detail h2'), one('#cases li:nth-child(2) input').checked], ['walker-new-6', false], 'shown in place of ticked');
    yes(text('#said').includes('Look at it first: walker-new-6'), 'it says so');
    await openFirst();
    press('a');
    equal(all('#accept code').length, 0, 'not yet');
    await until(() => wasLookedAt(FIRST), 'a look at the first');
    equal(texts('#cases .looked .name'), [FIRST], 'one alone');
    press('ArrowRight');
    press('a');
    equal(all('#accept code').length, 1, 'now it can be');
    click('#tick-none');
}

/* Below the screen, or under something: not looked at. */
async function whatIsNotOnTheScreenDoesNotCount() {
    for (const hide of [() => { $('detail').style.paddingTop = '3000px'; }, () => $('help').showModal(),
                        () => Object.defineProperty(document, 'visibilityState', {configurable: true, value: 'hidden'})]) {
        looked.clear();
        await openFirst();
        looked.clear();
        hide();
        $('detail').scrollTop = 0;
        await pause(1200);
        equal([...looked], [], 'looked at');
        $('detail').style.paddingTop = '';
        delete document.visibilityState;
        if ($('help').open)
            $('help').close();
        await until(() => looked.size === 1, 'a look when it can be seen');
    }
}

async function ticksComposeOneCommand() {
    rows.forEach((row, index) => looked.add(index));
    click('#overview-open');
    one('#cases li:nth-child(2) input').click();
    equal(command(), 'rigproof accept tests/suite.yaml --filter walker-new-6', 'one');
    press('j');
    press('a');
    equal(command(), 'rigproof accept tests/suite.yaml --filter ' + FIRST + ' --filter walker-new-6 --repair none',
          'two, in the suite\'s order, as the first of them is accepted');
    press('a');
    equal(command(), 'rigproof accept tests/suite.yaml --filter walker-new-6', 'one again');
    click('#tick-all');
    equal(command().split(' --filter ').length - 1, 3, 'all that can be accepted');
    click('#tick-none');
    equal(all('#accept code').length, 0, 'none');
    equal(all('#cases input').length, 3, 'cases that can be accepted');
}

async function commandsAreCopied() {
    await openFirst();
    let copied = null;
    const clipboard = {writeText: async (value) => { copied = value; }};
    Object.defineProperty(navigator, 'clipboard', {value: clipboard, configurable: true});
    one('.commands .copy').click();
    await until(() => copied !== null, 'the clipboard');
    equal(copied, 'rigproof check tests/suite.yaml --filter ' + FIRST, 'copied');
    await until(() => text('.commands .copy') === 'Copied', 'it says so');
}

/* ---- page ---- */

function helpOpens() {
    press('?');
    equal(one('#help').open, true, 'open');
    yes(text('#help').includes('golden and actual in turns'), 'keys');
    press('j', one('#help button'));
    click('#help button');
    equal(one('#help').open, false, 'closed');
}

function typingIsNoCommand() {
    click('#overview-open');
    press('j', one('#search'));
    equal(all('#cases .current').length, 0, 'still the overview');
    press('/');
    equal(document.activeElement, one('#search'), 'slash leads to the search');
    type('#search', 'xyz');
    press('Escape', one('#search'));
    equal(listed().length, 10, 'Escape clears it');
}

/* Contrast of two colours after WCAG 2.1. */
function luminance(colour) {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((value) => {
        const c = value / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
}

function background(element) {
    for (; element; element = element.parentElement) {
        const colour = getComputedStyle(element).backgroundColor;
        if (colour !== 'rgba(0, 0, 0, 0)')
            return colour;
    }
    return 'rgb(255, 255, 255)';
}

const theme = () => document.documentElement.dataset.theme;

/* Text that must be easy to read. */
const READ = '.badge, .headline, .meta span, .stages .state, .hint, #verdict, .chip, .case .what, .time .state, ' +
    '.bones td, .errors .over td, .legend, .command code, .findings .stage';

function alphaIsInTheDifference() {
    const picture = (alpha) => ({pixels: () => new ImageData(new Uint8ClampedArray([10, 20, 30, alpha]), 1, 1)});
    const {canvas} = differenceCanvas(picture(255), picture(252));
    equal([...canvas.getContext('2d').getImageData(0, 0, 1, 1).data], [112, 48, 48, 255], 'three levels of alpha');
    const two = (alpha) => ({pixels: () => new ImageData(new Uint8ClampedArray([1, 1, 1, 255, 1, 1, 1, alpha]), 2, 1)});
    equal(differenceCanvas(two(255), two(99)).worst, {x: 1, y: 0}, 'the worst spot');
}

async function themesAreReadable() {
    await openFirst();
    const themes = new Set();
    for (let i = 0; i < 3; i++) {
        click('#theme');
        await pause(50);
        themes.add(theme());
        for (const element of all(READ)) {
            const ratio = contrast(getComputedStyle(element).color, background(element));
            yes(ratio >= 4.5, element.className + ' has a contrast of ' + ratio.toFixed(2) + ' in ' + theme());
        }
    }
    equal([...themes].sort(), ['auto', 'dark', 'light'], 'themes');
}

async function everythingHasAName() {
    await openFirst();
    for (const button of all('button'))
        yes(button.textContent.trim() || button.getAttribute('aria-label'), 'no name: ' + button.outerHTML);
    for (const input of all('input, select'))
        yes(input.labels.length > 0 || input.getAttribute('aria-label'), 'an input without a name: ' + input.outerHTML);
    for (const image of all('img'))
        yes(image.hasAttribute('alt'), 'a picture without alt');
}

function nothingIsFetched() {
    const foreign = performance.getEntriesByType('resource').map((entry) => entry.name)
        .filter((name) => !name.startsWith('blob:') && !name.startsWith('data:'));
    equal(foreign, [], 'requests');
    for (const element of all('[src], [href]')) {
        const target = element.getAttribute('src') || element.getAttribute('href');
        yes(/^(blob:|data:|#)/.test(target), 'a link to elsewhere: ' + target);
    }
}

/* The overview has a picture of each listed case that has one, and the list's filters are its own. */
async function galleryFollowsTheList() {
    press('h');
    const names = () => texts('.gallery .name');
    const withPictures = listed().filter((name) => pictureOf(results.cases.find((result) => result.name === name)));
    yes(withPictures.length >= 1, 'cases with pictures: ' + withPictures.length);
    equal(names(), withPictures, 'cases');
    one('.gallery').scrollIntoView();
    await until(() => all('.gallery img').every((image) => image.naturalWidth > 0), 'the pictures');
    yes(all('.gallery img').every((image) => image.src.startsWith('blob:')), 'pictures of the page');
    click('#statuses [data-status=fail]');
    equal(names(), withPictures.filter((name) => results.cases.find((result) => result.name === name).status === 'fail'), 'those that fail');
    click('.gallery button');
    equal(text('#detail h2'), listed()[0], 'a case opens');
    click('#reset');
}

/* What the page has not taken in is loaded from beside it: never from elsewhere, and where it is not there the page says so. */
async function othersAreBeside() {
    const index = results.cases.findIndex((result) => result.status === 'fail'), [{image}] = results.cases[index].times;
    const path = image.actual, number = pictureIndex.number[path];
    equal(urlBeside('//host/a b/http:%0A?#.png'), './/' + '/host/a%20b/http%3A%250A%3F%23.png', 'a path');
    delete pictureIndex.number[path];
    image.actual = 'not/there.png';
    openCase(index, 0);
    await until(() => texts('#detail .note').some((words) => words.includes('is not beside this page: not/there.png')), 'a note');
    image.actual = path;
    openCase(index, 0);
    await until(() => openPicture(path).image.naturalWidth > 0, 'the file beside the page');
    equal(new URL(openPicture(path).url, location.href).href, new URL(path, location.href).href, 'its address');
    pictureIndex.number[path] = number;
    openOverview();
}

/* Of the worst bone the channel that is farthest off, both in one sign of the quaternion, and the time that fails. */
function theWorstBoneHasACurve() {
    openCase(results.cases.findIndex((result) => result.curve));
    equal(text('[data-channel][aria-pressed=true]'), 'y', 'the channel: 0.25 of 1.7951 units is more than 0.1');
    equal([all('circle.curve:not(.golden)').length, all('circle.curve.golden').length], [2, 2], 'samples of both sides');
    equal(all('circle.curve.failing').length, 1, 'that fail');
    const line = () => one('circle.curve').closest('svg').querySelector('.now');
    showTime(results.cases[current].times.findIndex((t) => failsAt(results.cases[current], t.time)));
    equal(Number(line().getAttribute('x1')).toFixed(1), one('circle.curve.failing').getAttribute('cx'), 'the shown time');
    click('[data-channel="5"]');
    equal(one('path.curve.golden').getAttribute('d'), one('path.curve.actual').getAttribute('d'), 'one rotation, two signs');
    equal(one('path.curve.golden').getAttribute('d').split('L').length, 3, 'points of the golden\u2019s line');
    equal([all('line.key.golden').length, all('line.key.actual').length], [2, 0], 'keys of each side');
    yes(texts('.legend .hint').some((words) => words.startsWith('the golden\u2019s line: ')), 'what is not known of it');
    showTime(2);
    one('circle.curve.failing').dispatchEvent(new MouseEvent('click', {bubbles: true}));
    equal(time, results.cases[current].times.findIndex((t) => failsAt(results.cases[current], t.time)), 'its time is shown');
    const worst = {radius: 1, curve: {samples: [{time: 0, golden: Array(10).fill(0), actual: [0, 0, 0.5, ...Array(7).fill(0)]}]}};
    equal(worstChannel(worst, straighten(worst.curve).samples), 2, 'the channel');
    equal(ticksOf(0.0861, 0.4563, 6).map((value) => value.toFixed(1)), ['0.1', '0.2', '0.3', '0.4'], 'ticks');
}

function aModelThatIsNotThereIsTold() {
    openCase(results.cases.findIndex((result) => result.viewer));
    yes(texts('#detail .missing').some((words) => words.startsWith('No model: ') && words.includes('viewer.json')), 'a note');
    equal(all('.model').length, 0, 'no place for it');
}

run([opensWithTheOverview, chipsFilter, selectsFilter, searchFilters, keysLeadThroughFailures, stagesAreAStrip,
     namesStayText, timesAreChosen, bonesAreSorted, restOfACase, missingPicturesAreTold, modesChange, picturesComeFirst, namesLeaveOutTheirPrefix, sliderSwipes,
     spaceBlinks, pixelsAreRead, zoomIsOneForAll, outlineIsDrawn, sizesAreTold, picturesAreReleased,
     onlyWhatWasLookedAtIsTicked, whatIsNotOnTheScreenDoesNotCount, ticksComposeOneCommand, commandsAreCopied, alphaIsInTheDifference, helpOpens, typingIsNoCommand, themesAreReadable, everythingHasAName,
     nothingIsFetched, galleryFollowsTheList, othersAreBeside,
     theWorstBoneHasACurve, skinIsJudgedByItsFindings, aModelThatIsNotThereIsTold]);
