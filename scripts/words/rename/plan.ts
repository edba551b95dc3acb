/** Decides the new name of each group of declarations, and rejects names that would collide. */
import { relative } from 'node:path';
import ts from 'typescript-6';
import { type Group, Groups, isMember } from './groups.ts';
import type { Occurrence } from './occurrences.ts';
import type { Sources } from './program.ts';
import { fits, type Row } from './table.ts';

export interface Edit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Plan {
  readonly edits: readonly Edit[];
  /** Names that were not renamed and the reasons, one line each. */
  readonly refused: readonly string[];
  /** Old names of which every declaration got the same new name; only these are replaced in texts. */
  readonly everywhere: ReadonlyMap<string, string>;
  readonly groups: number;
}

const ANY = ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Namespace | ts.SymbolFlags.Alias;

export function planRenames(
  root: string,
  sources: Sources,
  occurrences: readonly Occurrence[],
  rows: readonly Row[],
): Plan {
  const { checker, files } = sources;
  const groups = new Groups(checker, occurrences);
  const pathOf = (node: ts.Node): string => relative(root, node.getSourceFile().fileName);
  const refused: string[] = [];
  const rowsByName = Map.groupBy(
    rows.filter((row) => row.what === 'id'),
    (row) => row.old,
  );

  // The preferred names of each group, in order.
  const wishes = new Map<Group, readonly string[]>();
  const written = new Map<Group, { node: ts.Node; file: string }[]>();
  const groupsOf = ({ symbols }: Occurrence): Group[] => [
    ...new Set(symbols.flatMap((symbol) => groups.of(symbol) ?? [])),
  ];
  const nodeAt = (o: Occurrence): string => `${o.file}:${o.source.getLineAndCharacterOfPosition(o.start).line + 1}`;
  /** New names of uses without a declaration. */
  const byUse = new Map<Occurrence, string>();
  for (const o of occurrences) {
    const own = groupsOf(o);
    const local = o.local && groups.of(o.local);
    const [unresolved] =
      own.length > 0 || local
        ? []
        : (rowsByName.get(o.name)?.find((each) => fits(each, o.file, 'unresolved'))?.names ?? []);
    if (unresolved !== undefined) byUse.set(o, unresolved);
    else if (own.length === 0 && !local) refused.push(`${nodeAt(o)}: ${o.name}: no declaration found (any?)`);
    for (const group of local ? [...own, local] : own) {
      const list = written.get(group);
      if (list) list.push({ node: o.node, file: o.file });
      else written.set(group, [{ node: o.node, file: o.file }]);
      if (wishes.has(group)) continue;
      const places = [...new Set(group.declarations.map(pathOf))];
      const foreign = places.find((path) => !files.has(path));
      const keepAll = rowsByName.get('*')?.some((each) => places.some((path) => fits(each, path, group.kind)));
      const row = keepAll
        ? undefined
        : rowsByName.get(group.name)?.find((each) => places.some((path) => fits(each, path, group.kind)));
      if (row && row.names.length > 0 && foreign !== undefined)
        refused.push(
          `${places.find((path) => files.has(path)) ?? nodeAt(o)}: ${group.name}: also declared in ${foreign}, which is not edited`,
        );
      wishes.set(group, row && foreign === undefined ? row.names : []);
    }
  }

  const chosen = new Map<Group, string>();
  for (const [group, [first]] of wishes) if (first !== undefined) chosen.set(group, first);
  const words = indexIdentifiers(files, new Set([...wishes.values()].flat()));
  const renamedOf = (symbol: ts.Symbol): string | undefined => {
    const group = groups.of(symbol);
    return group && chosen.get(group);
  };
  // Old names by their possible new name, to find two that would collide.
  for (let again = true; again; ) {
    again = false;
    const oldNames = new Map<string, Set<string>>();
    for (const [group, name] of chosen) {
      const set = oldNames.get(name);
      if (set) set.add(group.name);
      else oldNames.set(name, new Set([group.name]));
    }
    for (const [group, name] of chosen) {
      const collision = collides(group, name, oldNames.get(name) ?? new Set());
      if (collision === undefined) continue;
      again = true;
      const names = wishes.get(group) ?? [];
      const next = names[names.indexOf(name) + 1];
      if (next === undefined) {
        chosen.delete(group);
        const [declaration] = group.declarations;
        const source = declaration?.getSourceFile();
        const line =
          declaration && source ? source.getLineAndCharacterOfPosition(declaration.getStart(source)).line + 1 : 0;
        refused.push(
          `${declaration ? pathOf(declaration) : '?'}:${line}: ${group.name} -> ${names.join('|')}: ${collision}`,
        );
      } else chosen.set(group, next);
    }
  }

  function collides(group: Group, name: string, oldNames: ReadonlySet<string>): string | undefined {
    for (const node of group.declarations) {
      const found = isMember(node) ? memberCollision(node, name) : capture(node, name, group);
      if (found !== undefined) return found;
    }
    if (group.declarations.every(isMember)) return undefined;
    for (const { node, file } of written.get(group) ?? []) {
      if (isMemberName(node)) continue;
      for (const other of [name, ...oldNames]) {
        if (other === group.name) continue;
        const symbol = checker.resolveName(other, node, ANY, false);
        if (!symbol?.declarations?.some((each) => files.has(pathOf(each)))) continue;
        const becomes = renamedOf(symbol) ?? other;
        if (becomes === name) return `${other} is in scope at ${file}:${lineOf(node)}`;
      }
    }
    return undefined;
  }

  /** A member of the same type that has the name, or will have it. */
  function memberCollision(node: ts.Node, name: string): string | undefined {
    const owner = node.parent as unknown as { members?: Iterable<ts.Node>; properties?: Iterable<ts.Node> };
    for (const each of [...(owner.members ?? []), ...(owner.properties ?? [])]) {
      if (each === node) continue;
      const symbol = (each as { symbol?: ts.Symbol }).symbol;
      if (!symbol || symbol === (node as { symbol?: ts.Symbol }).symbol) continue;
      if (isPrivate(each) !== isPrivate(node)) continue;
      if ((renamedOf(symbol) ?? symbol.name) === name) return `the same type has ${symbol.name} (line ${lineOf(each)})`;
    }
    return undefined;
  }

  /** Uses of the new name below a declaration's scope that refer to another declaration outside of it. */
  function capture(node: ts.Node, name: string, group: Group): string | undefined {
    const scope = scopeOf(node);
    for (const use of words.get(node.getSourceFile())?.get(name) ?? []) {
      if (isMemberName(use) || use.pos < scope.pos || use.end > scope.end) continue;
      const symbol = ts.isShorthandPropertyAssignment(use.parent)
        ? checker.getShorthandAssignmentValueSymbol(use.parent)
        : checker.getSymbolAtLocation(use);
      if (!symbol?.declarations || renamedOf(symbol) !== undefined) continue;
      if (groups.of(symbol) === group) continue;
      const isInner = symbol.declarations.every(
        (each) =>
          each.getSourceFile() === node.getSourceFile() &&
          each.pos >= scope.pos &&
          each.end <= scope.end &&
          scopeOf(each) !== scope,
      );
      if (!isInner) return `${name} is used at line ${lineOf(use)} of ${pathOf(node)}`;
    }
    return undefined;
  }

  const edits: Edit[] = [];
  for (const o of occurrences) {
    const property = newName(groupsOf(o), o) ?? byUse.get(o) ?? o.name;
    const localGroup = o.local && groups.of(o.local);
    const local = o.form === 'plain' ? property : ((localGroup && chosen.get(localGroup)) ?? o.name);
    const text = property === local ? property : `${property}: ${local}`;
    if (text !== o.name) edits.push({ file: o.file, start: o.start, end: o.end, text });
  }

  function newName(own: readonly Group[], o: Occurrence): string | undefined {
    const names = new Set(own.map((group) => chosen.get(group) ?? group.name));
    if (names.size > 1)
      refused.push(`${nodeAt(o)}: ${o.name}: its declarations get several names: ${[...names].join(', ')}`);
    return [...names][0];
  }

  const byName = Map.groupBy(wishes.keys(), (group) => group.name);
  const everywhere = new Map<string, string>();
  for (const [name, all] of byName) {
    const names = new Set(all.map((group) => chosen.get(group)));
    const [only] = names;
    if (names.size === 1 && only !== undefined) everywhere.set(name, only);
  }
  for (const row of rows)
    if (row.what === 'id' && row.names.length > 0 && !byName.has(row.old))
      refused.push(`${row.origin}: ${row.old}: not found in the tree`);
  return { edits, refused: [...new Set(refused)], everywhere, groups: chosen.size };
}

function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function isPrivate(node: ts.Node): boolean {
  const { name } = node as ts.NamedDeclaration;
  return name !== undefined && ts.isPrivateIdentifier(name);
}

/** Whether a name belongs to an object or a module rather than to a scope. */
function isMemberName(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isStringLiteral(node) ||
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node) ||
    (isMember(parent) &&
      (parent as ts.NamedDeclaration).name === node &&
      !ts.isShorthandPropertyAssignment(parent) &&
      !ts.isParameter(parent)) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    (ts.isImportSpecifier(parent) && parent.propertyName === node) ||
    (ts.isExportSpecifier(parent) &&
      (parent.propertyName !== undefined
        ? parent.name === node
        : parent.parent.parent.moduleSpecifier !== undefined)) ||
    ts.isJSDocLink(parent)
  );
}

/** The part of the file in which a declaration is visible. */
function scopeOf(node: ts.Node): ts.Node {
  let at = node.parent;
  if (ts.isParameter(node)) return at;
  if (ts.isTypeParameterDeclaration(node)) return at;
  while (
    at &&
    !ts.isSourceFile(at) &&
    !ts.isBlock(at) &&
    !ts.isFunctionLike(at) &&
    !ts.isModuleBlock(at) &&
    !ts.isForStatement(at) &&
    !ts.isForOfStatement(at) &&
    !ts.isForInStatement(at) &&
    !ts.isCaseBlock(at) &&
    !ts.isCatchClause(at)
  )
    at = at.parent;
  return at ?? node.getSourceFile();
}

function indexIdentifiers(
  files: ReadonlyMap<string, ts.SourceFile>,
  names: ReadonlySet<string>,
): Map<ts.SourceFile, Map<string, ts.Identifier[]>> {
  const index = new Map<ts.SourceFile, Map<string, ts.Identifier[]>>();
  for (const source of files.values()) {
    const found = new Map<string, ts.Identifier[]>();
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && names.has(node.text)) {
        const list = found.get(node.text);
        if (list) list.push(node);
        else found.set(node.text, [node]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    if (found.size > 0) index.set(source, found);
  }
  return index;
}
