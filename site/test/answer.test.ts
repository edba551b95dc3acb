/** The playground answers as meshctl does. */
import { readFileSync } from 'node:fs';
import { assert, test } from '@meshrelay/testing';
import { answer } from '../src/playground/answer.ts';
import { changesOn } from '../src/playground/changes.ts';

const read = (file: string) => readFileSync(new URL(`../../docs/tasks/${file}`, import.meta.url), 'utf8');
const clusters = ['cluster-1', 'cluster-2', 'cluster-3'].map((name) => ({ name, text: read(`fleet/${name}.yaml`) }));
const management = read('fleet/management.yaml');
const page = read('shift-traffic.md');
const [canary] = changesOn('', page);
assert.ok(canary);

function ask(change: string, subject = '') {
  return answer({ clusters, management, change, subject });
}

test('the plan is the one that the page shows', () => {
  const [, shown = ''] = /^\$ meshctl plan \$FLEET --apply reviews-canary\.yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const answered = ask(canary.text);
  assert.ok('results' in answered);
  const lines = (text: string) => text.trim().split('\n');
  // Both have long values; the page may shorten further.
  assert.is(lines(answered.results.plan)[0], lines(shown)[0]);
  assert.ok(lines(shown).length > 10 && lines(answered.results.plan).length >= lines(shown).length);
});

test('all results follow from the change', () => {
  const answered = ask(canary.text, canary.subject);
  assert.ok('results' in answered);
  const { policies, objects, explanation, discovered } = answered.results;
  assert.match(policies, 'TrafficPolicy meshrelay/reviews-canary is ACCEPTED');
  assert.match(objects, '# for cluster-1\napiVersion: networking.istio.io/v1');
  assert.match(objects, 'subset: version-v2');
  assert.match(explanation, 'reviews-canary');
  assert.match(discovered, 'istiod-istio-system-cluster-1');
});

test('an unknown name to explain is answered with what is near', () => {
  const answered = ask(canary.text, 'trafficpolicy/reviews-canari');
  assert.ok('results' in answered);
  assert.match(answered.results.explanation, 'reviews-canary');
});

test('a wrong field is named with its editor and line', () => {
  const answered = ask(canary.text.replace('weight: 90', 'wait: 90'));
  assert.ok('problem' in answered);
  assert.match(answered.problem, /^change:12:\d+: /);
  assert.match(answered.problem, 'wait');
});

test('text that is not an object is a problem, not a failure', () => {
  for (const text of ['[', 'hello', '- a\n- b', 'a: *b', '\0']) {
    const answered = ask(text);
    assert.ok('problem' in answered, text);
    assert.match(answered.problem, 'change');
  }
});

test('without a change nothing changes', () => {
  const answered = ask('');
  assert.ok('results' in answered);
  assert.is(answered.results.plan, 'nothing would change\n');
});

test.run();
