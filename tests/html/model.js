'use strict';
/* The report of a case that fails, with its model to be turned around: opened when it is seen, closed when another case is. */

const drawn = () => {
    const canvas = document.querySelector('.model canvas.mv-canvas');
    return canvas && canvas.width > 0 && canvas.getContext('webgl2');
};

async function aModelIsOpenedWhenItIsSeen() {
    equal(model, null, 'nothing is open in the overview');
    openCase(0);
    one('.model').scrollIntoView();
    await until(() => model !== null && drawn(), 'the model');
    equal(text('#detail .model').includes('golden') && text('#detail .model').includes('actual'), true, 'two poses');
    equal(model.state.view, 'displacement', 'the view');
    yes(model.canvas.clientHeight > 300, 'it has room: ' + model.canvas.clientHeight);
    await until(() => model.largest > 0, 'a displacement');
    const before = model.state.time;
    model.play(true);
    await until(() => model.state.time !== before, 'it plays');
    model.play(false);
    equal(all('#detail .missing').filter((element) => element.textContent.includes('model')).length, 0, 'complaints');
}

/* Keys in it are its own. */
function itsKeysAreItsOwn() {
    press('h', one('.model canvas.mv-canvas'));
    equal(current, 0, 'the overview is not opened');
}

async function itIsClosedWithItsCase() {
    press('h');
    equal(model, null, 'closed');
    openCase(0);
    one('.model').scrollIntoView();
    await until(() => model !== null && drawn(), 'the model again');
}

run([aModelIsOpenedWhenItIsSeen, itsKeysAreItsOwn, itIsClosedWithItsCase]);
