// What administrators do to scopes: make one, and lower or raise a budget.
import { useRef, useState } from 'preact/hooks';
import type { Receipt } from './answers';
import { budgetOf, BudgetFields, kinds, textsOf } from './budget_fields';
import { newKey, write } from './client';
import { Check, Entry, Faults, Pick, Wrong } from './parts';
import { refresh, shown } from './store';
import { budgetText, kindOf } from './words';

/** Sends a form: one key for one content, so that another try of the same is recognised. */
function useSending(): { send: (verb: string, body: object) => Promise<Receipt | undefined>; busy: boolean; faults: Faults } {
  const key = useRef({ content: '', key: '' });
  const working = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const send = async (verb: string, body: object) => {
    if (working.current) return undefined;
    const content = `${verb} ${JSON.stringify(body)}`;
    if (key.current.content !== content) key.current = { content, key: newKey(verb) };
    working.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      const receipt = await write<Receipt>(verb, body, key.current.key);
      key.current = { content: '', key: '' };
      void refresh();
      return receipt;
    } catch (error) {
      setFailure(error);
      return undefined;
    } finally {
      working.current = false;
      setBusy(false);
    }
  };
  return { send, busy, faults: new Faults(failure) };
}

const said = (receipt: Receipt, done: string) => (receipt.accepted ? `${done} Entry ${receipt.entry} of the log says so.` : `Refused: ${receipt.reason}`);

const list = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

export function NewScope() {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('zcdp');
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [cap, setCap] = useState<Record<string, string>>({});
  const [neighbors, setNeighbors] = useState('add-or-remove-one');
  const [unit, setUnit] = useState('1');
  const [collude, setCollude] = useState(true);
  const [rule, setRule] = useState('');
  const [oneBlock, setOneBlock] = useState(true);
  const [blocks, setBlocks] = useState('');
  const [result, setResult] = useState('');
  const { send, busy, faults } = useSending();
  const scopes = shown.value?.scopes.map(({ scope }) => scope) ?? [];
  const isWithin = scopes.some((outer) => name.startsWith(`${outer}/`));

  const submit = async (event: Event) => {
    event.preventDefault();
    setResult('');
    const most = budgetOf(kind, cap);
    const units = Number(unit);
    const receipt = await send('scope', {
      scope: name.trim(),
      budget: budgetOf(kind, texts) ?? { kind },
      ...(most ? { cap: most } : {}),
      // Relation and unit of a scope within another one are those of the other.
      ...(isWithin ? {} : { neighbors, unit: Number.isInteger(units) ? units : unit }),
      ...(collude ? {} : { analysts_may_collude: false }),
      ...(rule.trim() ? { block_rule: { rule: rule.trim(), unit_in_one_block: oneBlock }, blocks: list(blocks) } : {}),
    });
    if (!receipt) return;
    setResult(said(receipt, `${name.trim()} was made.`));
    setName('');
    setTexts({});
    setCap({});
  };
  const own = ['scope', 'budget', 'cap', 'neighbors', 'unit', 'block_rule', 'blocks'];
  return (
    <section class="card" aria-labelledby="new-scope-title">
      <h2 id="new-scope-title">Add a scope</h2>
      <form onSubmit={submit}>
        <Entry label="Name" value={name} set={setName} list={scopes.map((one) => `${one}/`)} error={faults.at('scope')} help="hospital, or hospital/visits, which lies within hospital" />
        <Pick label="Kind of budget" value={kind} options={kinds.map(({ kind: one, words }): [string, string] => [one, words])} set={setKind} error={faults.at('budget.kind')} />
        <BudgetFields kind={kind} texts={texts} set={setTexts} faults={faults} path="budget" />
        <details>
          <summary>Cap, relation, analysts, blocks</summary>
          <p class="help">The cap is the most to which the budget may ever be raised, and what is guaranteed. Left empty, it is the budget.</p>
          <BudgetFields kind={kind} texts={cap} set={setCap} faults={faults} path="cap" prefix="Cap: " />
          {isWithin ? (
            <p class="help">Relation and unit are those of the scope above.</p>
          ) : (
            <div class="grid">
              <Pick
                label="Relation"
                value={neighbors}
                options={[
                  ['add-or-remove-one', 'one is added or removed'],
                  ['replace-one', 'one is replaced'],
                  ['zero-out', 'one is emptied'],
                ]}
                set={setNeighbors}
                error={faults.at('neighbors')}
              />
              <Entry label="Unit" value={unit} set={setUnit} decimal help="records that one person may have" error={faults.at('unit')} />
            </div>
          )}
          <Check
            label="Analysts may share what they learn"
            value={collude}
            set={setCollude}
            help="If not, the scopes directly within count by the largest, and every statement says: per analyst."
          />
          <Entry label="Rule of blocks" value={rule} set={setRule} help="such as: the month of the visit; left empty, there are none" error={faults.at('block_rule')} />
          {rule.trim() && (
            <>
              <Check label="The unit of privacy lies in one block" value={oneBlock} set={setOneBlock} help="Then the block with the most spent counts; else blocks add up." />
              <Entry label="First blocks" value={blocks} set={setBlocks} help="such as 2026-10, 2026-11" error={faults.at('blocks')} />
            </>
          )}
        </details>
        <Wrong text={faults.beside(...own)} />
        <button type="submit" class="main" disabled={busy}>
          {busy ? 'Adding …' : 'Add the scope'}
        </button>
        <p class="done" role="status">
          {result}
        </p>
      </form>
    </section>
  );
}

export function ChangeBudget() {
  const scopes = shown.value?.scopes ?? [];
  const [name, setName] = useState('');
  const [texts, setTexts] = useState<Record<string, string> | undefined>(undefined);
  const [reason, setReason] = useState('');
  const [result, setResult] = useState('');
  const { send, busy, faults } = useSending();
  const scope = scopes.find((one) => one.scope === name) ?? scopes[0];
  if (!scope) return null;
  const values = texts ?? textsOf(scope.budget);

  const change = async (verb: 'lower' | 'raise') => {
    setResult('');
    const receipt = await send(verb, {
      scope: scope.scope,
      budget: budgetOf(scope.budget.kind, values) ?? { kind: scope.budget.kind },
      ...(verb === 'raise' ? { reason: reason.trim() } : {}),
    });
    if (!receipt) return;
    setResult(said(receipt, `The budget of ${scope.scope} was ${verb === 'lower' ? 'lowered' : 'raised'}.`));
    setTexts(undefined);
    setReason('');
  };
  return (
    <section class="card" aria-labelledby="change-title">
      <h2 id="change-title">Change a budget</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <Pick
          label="Scope"
          value={scope.scope}
          options={scopes.map((one): [string, string] => [one.scope, one.scope])}
          set={(next) => {
            setName(next);
            setTexts(undefined);
            setResult('');
          }}
          help={`${kindOf(scope.budget)}, ${budgetText(scope.budget)}${scope.cap ? `; cap ${budgetText(scope.cap)}` : ''}`}
          error={faults.at('scope')}
        />
        <BudgetFields kind={scope.budget.kind} texts={values} set={setTexts} faults={faults} path="budget" />
        <Entry label="Reason for raising" value={reason} set={setReason} error={faults.at('reason')} help="It is recorded. A budget is raised up to its cap, and lowered freely." />
        <Wrong text={faults.beside('scope', 'budget', 'reason')} />
        <div class="buttons start">
          <button type="button" onClick={() => void change('lower')} disabled={busy}>
            Lower
          </button>
          <button type="button" onClick={() => void change('raise')} disabled={busy}>
            Raise
          </button>
        </div>
        <p class="done" role="status">
          {result}
        </p>
      </form>
    </section>
  );
}
