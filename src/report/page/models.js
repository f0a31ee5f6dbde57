'use strict';
/* Golden and actual of a failing case's first failing time, to be turned around: one at a time, since a browser has few contexts. */

let model = null; /* what is open; null: nothing */

function closeModel() {
    if (model)
        model.close();
    model = null;
}

/* The reason why it cannot be opened is said in its place. */
function openModel(place, number) {
    const wait = document.readyState === 'loading' && !$('model-' + number); /* the models are at the end of the page */
    if (wait) {
        setTimeout(() => place.isConnected && openModel(place, number), 50);
        return;
    }
    try {
        closeModel();
        model = modelViewer.open(place, JSON.parse($('model-' + number).textContent));
    } catch (error) {
        place.replaceWith(note('The model cannot be shown here: ' + error.message, 'missing'));
    }
}

function modelSection(result) {
    const title = 'Turn it around', {viewer, viewer_note: why} = result;
    const found = typeof viewer === 'string' && Object.hasOwn(pictureIndex.models, viewer) ? pictureIndex.models[viewer] : null;
    if (typeof found !== 'number')
        return (found || why) && section(title, note('No model: ' + (found || why), 'missing'));
    const place = make('div', {class: 'model'});
    const observer = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) {
            observer.disconnect();
            openModel(place, number);
        }
    });
    const number = found;
    observer.observe(place);
    return section(title, place, make('p', {class: 'hint'}, 'Golden and actual over each other at the times of ' +
        'the case, from the first that fails; the colour is how far a vertex is from its place' +
        (result.stages.skin.by === 'import' ? ', both with the vertices and weights of this run, which differ from the golden\u2019s.' : '.') + (why ? ' It is shown ' + why + '.' : '')));
}
