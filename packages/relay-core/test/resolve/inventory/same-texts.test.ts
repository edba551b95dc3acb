/** Interned labels and lists with equal content. */
import { assert, test } from '@meshrelay/testing';
import { SameTexts } from '../../../src/resolve/inventory/same-texts.ts';

test('labels and lists keep their content and order', () => {
  const texts = new SameTexts('cart', 'shop');
  const labels = { tier: 'backend', app: 'cart', team: 'shop' };
  assert.equal(texts.inLabels(labels), labels);
  assert.equal(Object.keys(texts.inLabels(labels)), ['tier', 'app', 'team']);
  assert.equal(texts.inList(['shop', 'default', 'cart']), ['shop', 'default', 'cart']);
});

test('any name of a label works', () => {
  const labels = JSON.parse('{"__proto__":"cart"}');
  const same = new SameTexts('cart').inLabels(labels);
  assert.equal(Object.entries(same), [['__proto__', 'cart']]);
  assert.is(Object.getPrototypeOf(same), Object.prototype);
});

test.run();
