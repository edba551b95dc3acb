/** Diagnostics of one destination. */
import type { Read } from '@meshrelay/plugin';
import type { Diagnostic } from '../diagnostic.ts';
import type { KnownDestination } from '../inventory/mod.ts';

/** Finds the diagnostics of a destination for one concern. */
export type DiagnoseDestination = (destination: KnownDestination, read: Read) => readonly Diagnostic[];
