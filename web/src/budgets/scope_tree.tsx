// The tree of scopes: arrows move, Home and End go to its ends, letters find names, Enter goes on to the details.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ScopeBar } from './bar';
import { choose } from './place';
import { scope as current, tree } from './store';
import { moveBy, type Node, visible } from './tree';
import { decisive, kindOf, leftText, limitText, relationText, spentText } from './words';

const idOf = (name: string) => `scope-${encodeURIComponent(name).replace(/[%.]/g, '_')}`;

/** A row as it is read out. */
function spoken({ name, scope }: Node): string {
  const balance = scope.balances[decisive(scope)];
  const numbers = balance ? `, ${balance.name} ${spentText(balance, 4)} of ${limitText(balance)} spent, ${leftText(balance, 4)} left` : '';
  return `${name}, ${kindOf(scope.budget)}${numbers}${scope.reserved > 0 ? `, ${scope.reserved} reserved` : ''}`;
}

function Row({ node, closed, toggle }: { node: Node; closed: boolean; toggle: () => void }) {
  const { scope } = node;
  return (
    <div class="row">
      {node.children.length > 0 ? (
        <button type="button" class="twist" tabIndex={-1} aria-hidden="true" data-closed={closed} onClick={(event) => (event.stopPropagation(), toggle())} />
      ) : (
        <span class="twist" />
      )}
      <div class="about">
        <span class="scope-name">{node.name}</span>
        <span class="kind">{kindOf(scope.budget)}</span>
        <ScopeBar scope={scope} />
        {(!node.parent || scope.note || scope.block_rule || !scope.analysts_may_collude) && (
          <span class="marks">
            {!node.parent && relationText(scope.neighbors, scope.unit)}
            {!scope.analysts_may_collude && <span class="tag">per analyst</span>}
            {scope.block_rule && (
              <span class="tag" title={scope.block_rule.rule}>
                {scope.blocks?.length ?? 0} blocks
              </span>
            )}
          </span>
        )}
      </div>
    </div>
  );
}

export function ScopeTree({ details }: { details: string }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLUListElement>(null);
  const roots = tree.value;
  const rows = visible(roots, closed);
  const chosen = current.value?.scope ?? '';
  // The chosen scope can be hidden in a closed branch; then the keyboard begins at what is visible of it.
  const focusable = rows.find((node) => node.scope.scope === chosen) ?? rows.find((node) => chosen.startsWith(`${node.scope.scope}/`)) ?? rows[0];

  useEffect(() => {
    // The list scrolls by itself, if it does, and never the page.
    const row = list.current?.querySelector<HTMLElement>(`#${idOf(chosen)} > .row`);
    const around = list.current?.closest<HTMLElement>('.card');
    if (!row || !around || around.scrollHeight <= around.clientHeight) return;
    const [inner, outer] = [row.getBoundingClientRect(), around.getBoundingClientRect()];
    if (inner.bottom > outer.bottom) around.scrollTop += inner.bottom - outer.bottom + 16;
    else if (inner.top < outer.top) around.scrollTop -= outer.top - inner.top + 16;
  }, [chosen]);

  const set = (name: string, isClosed: boolean) => {
    const next = new Set(closed);
    if (isClosed) next.add(name);
    else next.delete(name);
    setClosed(next);
  };

  const onKey = (event: KeyboardEvent) => {
    if (!focusable || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(focusable.scope.scope);
      document.getElementById(details)?.focus();
      return;
    }
    const move = moveBy(event.key, focusable, rows, closed);
    if (!move) return;
    event.preventDefault();
    if (move.open) set(move.open, false);
    if (move.close) set(move.close, true);
    if (move.focus) {
      choose(move.focus);
      list.current?.querySelector<HTMLElement>(`#${idOf(move.focus)}`)?.focus();
    }
  };

  const item = (node: Node) => {
    const name = node.scope.scope;
    const isClosed = closed.has(name);
    return (
      <li
        key={name}
        id={idOf(name)}
        role="treeitem"
        aria-level={node.level}
        aria-label={spoken(node)}
        aria-selected={name === chosen}
        aria-expanded={node.children.length > 0 ? !isClosed : undefined}
        tabIndex={node === focusable ? 0 : -1}
        onClick={(event) => {
          event.stopPropagation();
          choose(name);
          // In a narrow window the details are below the tree.
          if (matchMedia('(max-width: 1000px)').matches) document.getElementById(details)?.scrollIntoView({ behavior: 'smooth' });
        }}
      >
        <Row node={node} closed={isClosed} toggle={() => set(name, !isClosed)} />
        {node.children.length > 0 && !isClosed && <ul role="group">{node.children.map(item)}</ul>}
      </li>
    );
  };

  return (
    <ul class="tree" role="tree" aria-label="Scopes" ref={list} onKeyDown={onKey}>
      {roots.map(item)}
    </ul>
  );
}
