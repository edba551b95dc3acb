/** Matches of strings. */
export type StringMatchView =
  | { readonly exact: string; readonly ignoreCase: boolean }
  | { readonly prefix: string; readonly ignoreCase: boolean }
  | { readonly regex: string; readonly ignoreCase: boolean }
  | { readonly suffix: string; readonly ignoreCase: boolean };
