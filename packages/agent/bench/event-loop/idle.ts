/** A program that does nothing: how late its event loop is, is the machine's doing. Ends with its standard input. */
import process from 'node:process';

process.stdin.once('end', () => process.exit(0)).resume();
