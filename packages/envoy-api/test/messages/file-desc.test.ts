/** Descriptors of generated files are those that protobuf itself makes of them. */
import { createFileRegistry, type DescField, type DescFile, type DescMessage } from '@bufbuild/protobuf';
import { assert, test } from '@meshrelay/testing';
import { files } from '../../src/gen/files.ts';

/** The other types that a field refers to, and its own facts. */
function factsOf(field: DescField) {
  const { name, jsonName, number, fieldKind, presence, localName } = field;
  return { name, jsonName, number, fieldKind, presence, localName, message: field.message, enum: field.enum };
}

/** With the messages inside. */
function messagesOf(messages: readonly DescMessage[]): readonly DescMessage[] {
  return messages.flatMap((message) => [message, ...messagesOf(message.nestedMessages)]);
}

test('each message has the fields, and refers to the types, of the descriptor by protobuf', () => {
  let fromOtherFiles = 0;
  for (const file of files) {
    const byName = new Map<string, DescFile>(file.dependencies.map((each) => [each.proto.name, each]));
    const expected = createFileRegistry(file.proto, (name) => byName.get(name)).getFile(file.proto.name);
    assert.ok(expected);
    assert.equal(
      file.dependencies.map(({ name }) => name),
      expected.dependencies.map(({ name }) => name),
    );
    const [actuals, expecteds] = [messagesOf(file.messages), messagesOf(expected.messages)];
    assert.is(actuals.length, expecteds.length);
    for (const [at, message] of actuals.entries()) {
      const fields = expecteds[at]?.fields.map(factsOf) ?? [];
      for (const [index, field] of message.fields.entries()) {
        const [facts, own] = [fields[index], factsOf(field)];
        const names = (of: typeof own | undefined) => ({
          ...of,
          message: of?.message?.typeName,
          enum: of?.enum?.typeName,
        });
        assert.equal(names(own), names(facts), `${message.typeName}.${field.name}`);
        // The very type of the other file, and not a copy of it.
        if (own.message === undefined || own.message.file === file) continue;
        assert.is(own.message, facts?.message);
        fromOtherFiles += 1;
      }
      assert.is(message.fields.length, fields.length);
    }
  }
  assert.ok(fromOtherFiles > 500, `${fromOtherFiles} fields refer to other files`);
});

test('a file knows the files that it imports themselves', () => {
  const byName = new Map(files.map((file) => [file.name, file]));
  const route = byName.get('envoy/config/route/v3/route');
  assert.ok(route);
  assert.is(
    route.dependencies.find(({ name }) => name === 'envoy/config/core/v3/base'),
    byName.get('envoy/config/core/v3/base'),
  );
});

test.run();
