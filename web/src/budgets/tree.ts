// Scopes as a tree: "clinic/oncology" lies within "clinic". Whoever sees only some scopes sees those as roots.
import type { Scope } from './answers';

export interface Node {
  scope: Scope;
  /** The part of the name that is not the parent's. */
  name: string;
  level: number;
  parent?: Node;
  children: Node[];
}

export function treeOf(scopes: Scope[]): Node[] {
  const roots: Node[] = [];
  const byName = new Map<string, Node>();
  for (const scope of [...scopes].sort((a, b) => (a.scope < b.scope ? -1 : 1))) {
    let outer = scope.scope;
    let parent: Node | undefined;
    while (!parent && outer.includes('/')) {
      outer = outer.slice(0, outer.lastIndexOf('/'));
      parent = byName.get(outer);
    }
    const name = parent ? scope.scope.slice(parent.scope.scope.length + 1) : scope.scope;
    const node: Node = { scope, name, level: (parent?.level ?? 0) + 1, parent, children: [] };
    byName.set(scope.scope, node);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** The nodes that are visible, from top to bottom. */
export function visible(nodes: Node[], closed: ReadonlySet<string>): Node[] {
  return nodes.flatMap((node) => [node, ...(closed.has(node.scope.scope) ? [] : visible(node.children, closed))]);
}

export interface Move {
  focus?: string;
  open?: string;
  close?: string;
}

/** What a key does in a tree (WAI-ARIA Authoring Practices, "Tree View"). */
export function moveBy(key: string, at: Node, rows: Node[], closed: ReadonlySet<string>): Move | undefined {
  const index = rows.indexOf(at);
  const name = at.scope.scope;
  const to = (node: Node | undefined): Move => (node ? { focus: node.scope.scope } : {});
  switch (key) {
    case 'ArrowDown':
      return to(rows[index + 1]);
    case 'ArrowUp':
      return to(rows[index - 1]);
    case 'Home':
      return to(rows[0]);
    case 'End':
      return to(rows[rows.length - 1]);
    case 'ArrowRight':
      if (at.children.length === 0) return {};
      return closed.has(name) ? { open: name } : to(at.children[0]);
    case 'ArrowLeft':
      return at.children.length > 0 && !closed.has(name) ? { close: name } : to(at.parent);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const letter = key.toLowerCase();
      const round = [...rows.slice(index + 1), ...rows.slice(0, index + 1)];
      const found = round.find((node) => node.name.toLowerCase().startsWith(letter));
      return found ? to(found) : undefined;
    }
  }
}
