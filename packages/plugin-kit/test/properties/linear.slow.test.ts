/** A plugin that scans all previous views for each view is detected. */
import { assert, test } from '@meshrelay/testing';
import { linear } from '../../src/properties/linear.ts';
import { paperFixture, paperPlugin } from '../support/paper-mesh.ts';

/** Scans for each view: enough that their share of the time is plain on a busy machine, too. */
const SCANS = 2;

test('a correct plugin passes', () => linear({ plugin: paperPlugin(), fixture: paperFixture }));

test('a scan of all others for each view is detected', () => {
  const sound = paperPlugin();
  let seen: string[] = [];
  const plugin = paperPlugin({
    discover(define, settings) {
      seen = [];
      sound.discover?.(define, settings);
    },
    translateDestination(view, out, settings) {
      const { key } = view.destination;
      seen.push(key);
      for (let scan = 0; scan < SCANS; scan += 1)
        if (seen.filter((one) => one.endsWith(key)).length > 1) throw new Error('seen twice');
      sound.translateDestination?.(view, out, settings);
    },
  });
  assert.throws(() => linear({ plugin, fixture: paperFixture }), /twice the destinations take .* times/);
});

test.run();
