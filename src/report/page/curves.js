'use strict';
/* Where the worst bone is over the times of a case: the golden's samples, wide, and this run's. */

const CHANNELS = ['x', 'y', 'z', 'rotation x', 'rotation y', 'rotation z', 'rotation w', 'scale x', 'scale y', 'scale z'];
const CURVE = {width: 720, height: 240, left: 64, right: 12, top: 14, bottom: 32};

/* Quaternions of two signs are one rotation: of each the one nearer to that of the time before, of the first the golden's. */
function straighten(curve) {
    const flip = (values, like) => {
        const cosine = [3, 4, 5, 6].reduce((sum, k) => sum + values[k] * like[k], 0);
        return cosine < 0 ? values.map((value, k) => k >= 3 && k < 7 ? -value : value) : values;
    };
    let before = null;
    return curve.samples.map(({time, golden, actual}) => {
        golden = before ? flip(golden, before) : golden;
        actual = flip(actual, golden);
        before = golden;
        return {time, golden, actual};
    });
}

/* The channel in which both are farthest apart: of places as a share of the radius. */
function worstChannel(result, samples) {
    const apart = CHANNELS.map((name, k) => Math.max(...samples.map(({golden, actual}) => Math.abs(golden[k] - actual[k]))) /
        (k < 3 ? result.radius || 1 : 1));
    return apart.indexOf(Math.max(...apart));
}

/* 1, 2 or 5 times a power of ten. */
function tickStep(span, wanted) {
    const power = 10 ** Math.floor(Math.log10(span / wanted));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= wanted);
}

function ticksOf(least, most, wanted) {
    const step = tickStep(most - least, wanted), ticks = [];
    for (let i = Math.ceil(least / step - 1e-9); i * step <= most + 1e-9 * step && ticks.length < 50; i++)
        ticks.push(i * step);
    return ticks;
}

function curveScales(samples, channel) {
    const values = samples.flatMap(({golden, actual}) => [golden[channel], actual[channel]]), times = samples.map(({time}) => time);
    const size = Math.max(...values.map(Math.abs), 1e-9);
    let [least, most] = [Math.min(...values), Math.max(...values)];
    const room = most - least > 1e-5 * size ? 0.08 * (most - least) : 0.1 * size;
    least -= room;
    most += room;
    let [first, last] = [Math.min(...times), Math.max(...times)];
    if (first === last)
        [first, last] = [first - 0.5, last + 0.5];
    const inner = {width: CURVE.width - CURVE.left - CURVE.right, height: CURVE.height - CURVE.top - CURVE.bottom};
    return {least, most, first, last,
            x: (time) => CURVE.left + (time - first) / (last - first) * inner.width,
            y: (value) => CURVE.top + (most - value) / (most - least) * inner.height};
}

function curveAxes(scales) {
    const bottom = CURVE.height - CURVE.bottom, right = CURVE.width - CURVE.right;
    return [
        ...ticksOf(scales.least, scales.most, 6).flatMap((value) => [
            makeSvg('line', {class: 'grid', x1: CURVE.left, x2: right, y1: scales.y(value), y2: scales.y(value)}),
            makeSvg('text', {class: 'tick', x: CURVE.left - 8, y: scales.y(value) + 4, 'text-anchor': 'end'}, figure(value))]),
        ...ticksOf(scales.first, scales.last, 8).map((time) =>
            makeSvg('text', {class: 'tick', x: scales.x(time), y: bottom + 20, 'text-anchor': 'middle'}, figure(time) + '\u00a0s')),
    ];
}

/* Whether numbers differ at the time beyond the limits of the case. */
function failsAt(result, time) {
    const found = result.times.find((t) => t.time === time);
    const isOver = (stage) => judgeError(result, stage, found).isOver;
    return Boolean(found) && (found.image.state === 'differs' || ['animate', 'palette', 'skin'].some(isOver));
}

function curveLine(samples, side, channel, scales) {
    const d = samples.map((sample, i) => (i ? 'L' : 'M') + scales.x(sample.time).toFixed(1) + ' ' + scales.y(sample[side][channel]).toFixed(1));
    return makeSvg('path', {class: 'curve ' + side, d: d.join('')});
}

function drawCurve(result, samples, channel) {
    const scales = curveScales(samples, channel), unit = channel < 3 ? ' units' : '';
    const index = (time) => result.times.findIndex((t) => t.time === time);
    const dots = samples.map((sample) => makeSvg('circle', {
        class: 'curve ' + (failsAt(result, sample.time) ? 'failing' : 'actual'), cx: scales.x(sample.time).toFixed(1),
        cy: scales.y(sample.actual[channel]).toFixed(1), r: 4, onclick: () => index(sample.time) >= 0 && showTime(index(sample.time))},
        makeSvg('title', {}, seconds(sample.time) + ': ' + pictureNames.golden + ' ' + figure(sample.golden[channel]) + ', ' +
            pictureNames.actual + ' ' + figure(sample.actual[channel]) + unit)));
    return makeSvg('svg', {viewBox: '0 0 ' + CURVE.width + ' ' + CURVE.height, class: 'plot curves', role: 'img',
                           'aria-label': CHANNELS[channel] + ' of the worst bone over time'},
                   ...curveAxes(scales), curveLine(samples, 'golden', channel, scales), curveLine(samples, 'actual', channel, scales), ...dots);
}

function curveSection(result) {
    const {curve} = result;
    if (!curve || curve.samples.length === 0)
        return null;
    const samples = straighten(curve), place = make('div');
    const group = make('div', {class: 'group', role: 'group', 'aria-label': 'Channel'}, ...CHANNELS.map((name, channel) =>
        button(name, () => show(channel), {'data-channel': channel})));
    const show = (channel) => {
        for (const each of group.children)
            each.setAttribute('aria-pressed', String(Number(each.dataset.channel) === channel));
        place.replaceChildren(drawCurve(result, samples, channel));
    };
    show(worstChannel(result, samples));
    const what = curve.space === 'local' ? 'seen from its parent' : 'in the scene';
    const legend = make('p', {class: 'legend'}, span('', make('i', {class: 'line curve-golden'}), pictureNames.golden),
        span('', make('i', {class: 'line curve-actual'}), pictureNames.actual), span('', make('i', {class: 'spot-failing'}), 'fails'));
    return section('Curve of the worst bone', make('p', {class: 'meta'}, make('code', {}, curve.bone), what), group, place, legend);
}
