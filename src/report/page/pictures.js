'use strict';
/*
 * The pictures in the page: base64 until they are looked at, released when the next case is opened. Those of passing cases that
 * would make the page too large are files beside it.
 */

let opened = new Map(); /* path -> picture */

const isEmbedded = (path) => Object.hasOwn(pictureIndex.number, path);

function hasPicture(path) {
    return typeof path === 'string' && !Object.hasOwn(pictureIndex.missing, path) && (pictureIndex.beside || isEmbedded(path));
}

/* Returns the address of a file beside the page; never one of another host, whatever the results call it. */
const urlBeside = (path) => './' + path.split('/').map(encodeURIComponent).join('/');

/* Gives a picture what it shows. The pictures are at the end of the page, which may not have been read so far. */
function loadPicture(path, picture) {
    const number = pictureIndex.number[path], embedded = $('picture-' + number);
    if (!isEmbedded(path)) {
        picture.image.src = picture.url = urlBeside(path);
        return;
    }
    if (opened.get(path) !== picture) /* closed meanwhile */
        return;
    if (!embedded && document.readyState === 'loading') {
        setTimeout(() => loadPicture(path, picture), 50);
        return;
    }
    picture.url = !embedded ? 'picture/' + number /* a server has it */
        : URL.createObjectURL(new Blob([decodeBase64(embedded.textContent)], {type: 'image/png'}));
    picture.image.src = picture.url;
}

/* {url, image, ready: whether it can be decoded, pixels() -> ImageData, null of a file beside the page, which browsers keep from
 * pages that are files}; null when there is none. */
function openPicture(path) {
    if (!hasPicture(path))
        return null;
    if (!opened.has(path)) {
        const image = new Image(), picture = {url: null, image, pixels: pixelsOf(image)};
        picture.ready = new Promise((resolve) => {
            image.onload = () => resolve(true);
            image.onerror = () => resolve(false);
        });
        opened.set(path, picture);
        loadPicture(path, picture);
    }
    return opened.get(path);
}

/* Reads the pixels once, when first asked for. */
function pixelsOf(image) {
    let data; /* undefined: not asked for so far */
    return () => {
        if (data === undefined) {
            const canvas = make('canvas', {width: image.naturalWidth, height: image.naturalHeight});
            const context = canvas.getContext('2d', {willReadFrequently: true});
            context.drawImage(image, 0, 0);
            try {
                data = context.getImageData(0, 0, canvas.width, canvas.height);
            } catch (refused) {
                data = null;
            }
        }
        return data;
    };
}

function closePictures() {
    for (const picture of opened.values())
        if (picture.url)
            URL.revokeObjectURL(picture.url); /* nothing to a server's */
    opened = new Map();
}

/* A small picture in `place`, with the box of what differs on it; what cannot be shown says so. */
function showThumbnail(place, path, {state, box, width, height}) {
    const picture = openPicture(path), image = make('img', {alt: '', src: picture.url}), [x, y, wide, high] = box || [];
    const shares = {'--x': x / width, '--y': y / height, '--wide': wide / width, '--high': high / height,
                    '--ratio': width / height || 1};
    Object.entries(shares).forEach(([name, share]) => place.style.setProperty(name, share));
    place.classList.toggle('changed', state === 'differs' && wide > 0);
    place.replaceChildren(image);
    picture.ready.then((good) => {
        if (good)
            image.src = picture.url;
        else
            place.replaceWith(span('blank', isEmbedded(path) ? 'cannot be shown' : 'not beside this page'));
    });
}

/*
 * Shows where pixels differ their absolute difference times 16, that of alpha in all three channels, and red enough to
 * be seen where that is a level; where they are equal the golden, dim. Both are of one size. With it the place where
 * they differ most.
 */
function differenceCanvas(golden, actual) {
    const a = golden.pixels(), b = actual.pixels();
    const canvas = make('canvas', {width: a.width, height: a.height});
    const context = canvas.getContext('2d');
    const out = context.createImageData(a.width, a.height);
    let most = 0, at = 0;
    for (let i = 0; i < out.data.length; i += 4) {
        const [red, green, blue, alpha] = [0, 1, 2, 3].map((k) => Math.abs(a.data[i + k] - b.data[i + k]));
        const largest = Math.max(red, green, blue, alpha);
        if (largest > most) {
            most = largest;
            at = i / 4;
        }
        const dim = 0.4 * a.data[i + 3] / 255;
        const least = red + green + blue + alpha > 0 ? [112, 0, 0] : [0, 1, 2].map((k) => dim * a.data[i + k]);
        [red, green, blue].forEach((level, k) => { /* clamped to 255 */
            out.data[i + k] = Math.max(least[k], 16 * Math.max(alpha, level));
        });
        out.data[i + 3] = 255;
    }
    context.putImageData(out, 0, 0);
    return {canvas, worst: {x: at % a.width, y: Math.floor(at / a.width)}};
}

function pixelAt(picture, x, y) {
    const data = picture.pixels();
    if (!data || x < 0 || y < 0 || x >= data.width || y >= data.height)
        return null;
    const at = 4 * (y * data.width + x);
    return [data.data[at], data.data[at + 1], data.data[at + 2], data.data[at + 3]];
}

/* Why a picture is not to be seen, or null. */
const missingPicture = (path) => typeof path === 'string' && !hasPicture(path) ? pictureIndex.missing[path] : null;
