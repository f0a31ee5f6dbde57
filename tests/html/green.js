'use strict';
/* A run in which all is good. */

function saysSo() {
    equal(text('#verdict'), '1 case, all good', 'verdict');
    equal(one('#verdict').className, 'good', 'tone');
    equal(one('#detail h2').className, 'good', 'headline');
    equal(all('#first').length, 0, 'nothing to open first');
    equal(one('#accept').hidden, true, 'nothing to accept');
}

function casesOpenAllTheSame() {
    press('j');
    equal(text('#detail h2'), 'walker-walk-0', 'where none fails, keys lead through all');
    equal(all('.stages .passed').length, 5, 'stages');
    press('1');
    press(' ');
    press('ArrowRight');
    press('a');
    press('+');
}

run([saysSo, casesOpenAllTheSame]);
