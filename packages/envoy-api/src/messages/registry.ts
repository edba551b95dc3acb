/** All messages by name, for what protobuf calls Any: an extension's configuration inside a message. */

import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt';
import { files } from '../gen/files.ts';

/** Knows every message of this package, so that JSON and binary form of an Any can be told from each other. */
export const registry: Registry = createRegistry(...files, file_google_protobuf_wrappers);
