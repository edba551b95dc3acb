/** The places of a name in a source, and the symbols of each place. */
import ts from 'typescript-6';

/** The syntactic form of the name, which decides its replacement if its two meanings get different names. */
export type Form = 'plain' | 'shorthand' | 'binding';

export interface Occurrence {
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly node: ts.Node;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly form: Form;
  /** Symbols of the place itself; for a shorthand or a binding those of the property. */
  readonly symbols: readonly ts.Symbol[];
  /** Symbols of the variable that a shorthand reads or a binding declares. */
  readonly local?: ts.Symbol;
}

/** All places of the names in one source. */
export function findOccurrences(
  file: string,
  source: ts.SourceFile,
  checker: ts.TypeChecker,
  names: ReadonlySet<string>,
): Occurrence[] {
  const found: Occurrence[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.replace(/^#/, '');
      if (names.has(name)) add(node, name);
    } else if (ts.isStringLiteral(node) && names.has(node.text)) {
      const symbols = propertyOfString(node, checker);
      if (symbols.length > 0) {
        const start = node.getStart(source) + 1;
        found.push({ file, source, node, start, end: node.end - 1, name: node.text, form: 'plain', symbols });
      }
    }
    for (const doc of (node as { jsDoc?: readonly ts.Node[] }).jsDoc ?? []) visit(doc);
    ts.forEachChild(node, visit);
  };
  const add = (node: ts.Identifier | ts.PrivateIdentifier, name: string): void => {
    const parent = node.parent;
    const start = node.getStart(source) + (ts.isPrivateIdentifier(node) ? 1 : 0);
    const at = { file, source, node, start, end: node.end, name };
    if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) {
      const local = checker.getShorthandAssignmentValueSymbol(parent);
      const own = ownSymbol(parent);
      found.push({
        ...at,
        form: 'shorthand',
        symbols: [...(own ? [own] : []), ...contextual(parent.parent, name, checker)],
        ...(local && { local }),
      });
    } else if (
      ts.isBindingElement(parent) &&
      parent.name === node &&
      !parent.propertyName &&
      !parent.dotDotDotToken &&
      ts.isObjectBindingPattern(parent.parent)
    ) {
      const local = checker.getSymbolAtLocation(node);
      const symbols = propertiesOf(checker.getTypeAtLocation(parent.parent), name, checker);
      found.push({ ...at, form: 'binding', symbols, ...(local && { local }) });
    } else {
      const symbol = checker.getSymbolAtLocation(node);
      const symbols = symbol ? [symbol] : [];
      if (ts.isObjectLiteralElement(parent) && parent.name === node && ts.isObjectLiteralExpression(parent.parent))
        symbols.push(...contextual(parent.parent, name, checker));
      if (ts.isBindingElement(parent) && parent.propertyName === node)
        symbols.push(...propertiesOf(checker.getTypeAtLocation(parent.parent), name, checker));
      if (
        (ts.isPropertyAccessExpression(parent) || ts.isPropertyAccessChain(parent)) &&
        parent.name === node &&
        symbols.length === 0
      )
        symbols.push(...propertiesOf(checker.getTypeAtLocation(parent.expression), name, checker));
      found.push({ ...at, form: 'plain', symbols });
    }
  };
  visit(source);
  return found;
}

/** The property symbols that the type of an object literal's context has under a name. */
function contextual(literal: ts.ObjectLiteralExpression, name: string, checker: ts.TypeChecker): ts.Symbol[] {
  const type = checker.getContextualType(literal);
  return type ? propertiesOf(type, name, checker) : [];
}

/** The properties of this name that a type has; for a union, those of each member. */
export function propertiesOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Symbol[] {
  if (type.isUnion()) return type.types.flatMap((each) => propertiesOf(each, name, checker));
  const property =
    checker.getPropertyOfType(checker.getApparentType(type), name) ?? checker.getPropertyOfType(type, name);
  return property ? [property] : [];
}

/** A string that names a property: `T['a']`, `a['b']`, `Pick<T, 'a'>`, `'a' in b`, `{ 'a': 1 }`. */
function propertyOfString(node: ts.StringLiteral, checker: ts.TypeChecker): ts.Symbol[] {
  const { parent } = node;
  const name = node.text;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
    return propertiesOf(checker.getTypeAtLocation(parent.expression), name, checker);
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InKeyword && parent.left === node)
    return propertiesOf(checker.getTypeAtLocation(parent.right), name, checker);
  if (ts.isPropertyAssignment(parent) && parent.name === node) {
    const own = ownSymbol(parent);
    return [...(own ? [own] : []), ...contextual(parent.parent, name, checker)];
  }
  if (!ts.isLiteralTypeNode(parent)) return [];
  const above = ts.isUnionTypeNode(parent.parent) ? parent.parent : parent;
  if (ts.isIndexedAccessTypeNode(above.parent) && above.parent.indexType === above)
    return propertiesOf(checker.getTypeFromTypeNode(above.parent.objectType), name, checker);
  if (ts.isTypeReferenceNode(above.parent) && /^(?:Pick|Omit)$/.test(above.parent.typeName.getText())) {
    const [object] = above.parent.typeArguments ?? [];
    return object ? propertiesOf(checker.getTypeFromTypeNode(object), name, checker) : [];
  }
  return [];
}

function ownSymbol(node: ts.Node): ts.Symbol | undefined {
  return (node as { symbol?: ts.Symbol }).symbol;
}
