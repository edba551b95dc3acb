/** Asserts the server's replies to objects. */
import { assert } from '@meshrelay/testing';
import type { CustomResource, CustomResources } from '@meshrelay/testing/custom-resources';

/** @throws AssertionError with the first object that the server rejects, and its message */
export async function assertAdmitted(server: CustomResources, objects: readonly CustomResource[]): Promise<void> {
  for (const object of objects) {
    const { status, text } = await server.admit(object);
    const { namespace, name } = object.metadata ?? {};
    assert.is(status, 201, `${object.kind} ${namespace}/${name} is refused: ${text}`);
  }
}

/** @throws AssertionError with the first object that changes when it is applied a second time */
export async function assertAppliedOnce(server: CustomResources, objects: readonly CustomResource[]): Promise<void> {
  for (const object of objects) {
    try {
      await assertWrittenOnce(server, object);
    } finally {
      await server.delete(object);
    }
  }
}

async function assertWrittenOnce(server: CustomResources, object: CustomResource): Promise<void> {
  const [first, second] = [await server.apply(object), await server.apply(object)];
  const { namespace, name } = object.metadata ?? {};
  const where = `${object.kind} ${namespace}/${name}`;
  assert.ok([200, 201].includes(first.status), `${where} is refused: ${first.text}`);
  assert.is(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion, `${where} is written twice`);
}
