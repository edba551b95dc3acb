/** Idle program: its event-loop delay is the baseline of the machine. Exits when its standard input closes. */
import process from 'node:process';

process.stdin.once('end', () => process.exit(0)).resume();
