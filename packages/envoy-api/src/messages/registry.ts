/** All messages by name, for protobuf's Any: an extension's configuration inside a message. */

import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { file_google_protobuf_wrappers } from '@bufbuild/protobuf/wkt';
import { files } from '../gen/files.ts';

/** Contains every message of this package, so that an Any converts between JSON and binary form. */
export const registry: Registry = createRegistry(...files, file_google_protobuf_wrappers);
