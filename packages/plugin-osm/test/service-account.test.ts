/** Principals as ServiceAccounts: only those that name an account of the mesh's own trust domain. */
import { assert, test } from '@meshrelay/testing';
import { accountOf } from '../src/service-account.ts';

test('a principal of the trust domain of the mesh is a ServiceAccount', () => {
  assert.equal(accountOf('one.example/ns/shop/sa/buyer', 'one.example'), { namespace: 'shop', name: 'buyer' });
});

for (const principal of [
  'two.example/ns/shop/sa/buyer',
  'one.example.org/ns/shop/sa/buyer',
  'one.example/*',
  'one.example/ns/shop/*',
  'one.example/ns/shop/sa/*',
  'one.example/ns/shop/sa/',
  'one.example/ns/shop/sa/buyer/more',
  'one.example/sa/shop/ns/buyer',
]) {
  test(`${principal} is not a ServiceAccount`, () => {
    assert.is(accountOf(principal, 'one.example'), undefined);
  });
}

test.run();
