/** The ServiceAccount of a program. */

/** Also the name of all objects that grant its permissions. */
export interface Account {
  readonly name: string;
  readonly namespace: string;
}
