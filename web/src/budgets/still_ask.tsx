// "What can I still ask?": a step from the catalogue, whether it fits the scope and all above it, how many such fit, and the
// charge itself. Asking records nothing.
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { roundedDown, roundedUp, typed } from '../app/numbers';
import { numberOf } from '../engine/answers';
import { loadCatalogue } from '../plan/catalogue';
import { mechanismStep, type Step } from '../whatif/configuration';
import { stepOf } from '../whatif/request';
import type { Receipt, Scope, Session } from './answers';
import { ChargeDialog } from './charge';
import { read } from './client';
import { beyond, howManyFit } from './fit';
import { Entry, Faults, ScopeName, Wrong } from './parts';
import { maySpend, whyNotSpend } from './roles';
import { shown, version } from './store';
import { pathsOf, StepEditor } from './step_editor';
import { fittingText, leavesAfter } from './words';

export interface Question {
  scope: string;
  steps: Record<string, unknown>[];
  count?: number | string;
  blocks?: string[];
}

interface Found {
  receipt: Receipt;
  many?: number;
  /** The question that it answers. */
  to: string;
}

/** Waits so long after the last change. */
const rest = 300;

function questionOf(scope: Scope, step: Step, count: string, blocks: string[]): Question {
  const number = typed(count) ?? count;
  return {
    scope: scope.scope,
    steps: [stepOf(step)],
    ...(number === 1 ? {} : { count: number }),
    ...(blocks.length > 0 ? { blocks } : {}),
  };
}

function Blocks({ all, chosen, set, rule, error }: { all: string[]; chosen: string[]; set: (blocks: string[]) => void; rule: string; error?: string }) {
  return (
    <fieldset class="blocks">
      <legend>Blocks that it reads</legend>
      <div class="choices">
        {all.map((block) => (
          <label key={block}>
            <input
              type="checkbox"
              checked={chosen.includes(block)}
              onChange={(event) => set(event.currentTarget.checked ? [...chosen, block] : chosen.filter((one) => one !== block))}
            />{' '}
            {block}
          </label>
        ))}
      </div>
      <p class="help">By {rule}. Without a choice everything is read, and it counts in every block.</p>
      <Wrong text={error} />
    </fieldset>
  );
}

/** What a charge costs and leaves, in each scope that pays for it. */
export function CostTable({ receipt }: { receipt: Receipt }) {
  const scopes = shown.value?.scopes ?? [];
  return (
    <div class="scroll">
      <table class="costs">
        <thead>
          <tr>
            <th scope="col">Paid by</th>
            <th scope="col">
              <span class="off-screen">Number</span>
            </th>
            <th scope="col">Costs</th>
            <th scope="col">Left now</th>
            <th scope="col">{receipt.accepted ? 'Leaves at least' : 'Missing'}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.left?.map((row) => {
            const budget = scopes.find(({ scope }) => scope === row.scope)?.budget;
            return row.balances.map((balance, place) => {
              const cost = row.costs?.[place];
              const leaves = cost === undefined || !budget ? undefined : leavesAfter(balance, cost, budget);
              const missing = cost === undefined ? 0 : numberOf(cost) - numberOf(balance.left);
              return (
                <tr class={row.scope === receipt.refused_by ? 'refusing' : undefined}>
                  <th scope="row">
                    <ScopeName of={row.scope} />
                    {row.scope === receipt.refused_by && place === 0 && <span class="tag bad">refuses</span>}
                  </th>
                  <td>{balance.name}</td>
                  <td>{cost === undefined ? '–' : roundedUp(numberOf(cost), 5)}</td>
                  <td>{roundedDown(numberOf(balance.left), 5)}</td>
                  <td>{receipt.accepted ? (leaves === undefined ? 'told after it' : roundedDown(leaves, 5)) : missing > 0 ? roundedUp(missing, 5) : 'nothing'}</td>
                </tr>
              );
            });
          })}
        </tbody>
      </table>
    </div>
  );
}

function manyText(many: number): string {
  if (many >= beyond) return 'It costs nothing, so that any number fits.';
  if (many === 0) return 'No such step fits now.';
  return many === 1 ? 'One such step fits in all.' : `${many.toLocaleString()} such steps fit in all.`;
}

function Verdict({ found, use }: { found: Found; use: (parameter: string, value: number) => void }) {
  const { receipt, many } = found;
  const fitting = receipt.fitting_step;
  return (
    <div class="verdict" data-fits={receipt.accepted}>
      <p class="says">
        <b>{receipt.accepted ? '✓ Fits' : '✗ Does not fit'}</b>
        {many !== undefined && <span class="many">{manyText(many)}</span>}
      </p>
      {receipt.reason && (
        <p class="why">
          {receipt.refused_by && <b>{receipt.refused_by}: </b>}
          {receipt.reason}.
        </p>
      )}
      {fitting && (
        <p class="change">
          One with {fittingText(fitting)} would fit{fitting.is_closest === false ? ' (a smaller change may do)' : ''}.{' '}
          <button type="button" class="quiet" onClick={() => use(fitting.parameter, fitting.value)}>
            Use it
          </button>
        </p>
      )}
      {receipt.note && <p class="help">{receipt.note}</p>}
      <CostTable receipt={receipt} />
    </div>
  );
}

/** What is asked about, which stays while one scope after the other is looked at. */
const step = signal<Step>(mechanismStep('gaussian', { noise_multiplier: '10' }));
const count = signal('1');

export function forgetQuestion(): void {
  step.value = mechanismStep('gaussian', { noise_multiplier: '10' });
  count.value = '1';
}

export function StillAsk({ scope, session }: { scope: Scope; session: Session }) {
  const [blocks, setBlocks] = useState<string[]>([]);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [asking, setAsking] = useState(false);
  const [charging, setCharging] = useState<{ question: Question; receipt: Receipt } | undefined>(undefined);
  const newest = useRef(0);
  useEffect(() => void loadCatalogue(), []);

  const known = useMemo(() => blocks.filter((block) => scope.blocks?.includes(block)), [blocks, scope]);
  const question = questionOf(scope, step.value, count.value, known);
  const text = JSON.stringify(question);
  const state = version.value;
  useEffect(() => {
    const mine = ++newest.current;
    setAsking(true);
    const timer = setTimeout(async () => {
      try {
        const receipt = await read<Receipt>('may-run', question);
        if (mine !== newest.current) return;
        setFound({ receipt, to: text });
        setFailure(undefined);
        const { count: _count, ...one } = question;
        const many = receipt.fitting_count ?? (await howManyFit((number) => read<Receipt>('may-run', { ...one, count: number }))).count;
        if (mine === newest.current) setFound({ receipt, many, to: text });
      } catch (error) {
        if (mine !== newest.current) return;
        setFailure(error);
        setFound(undefined);
      }
      if (mine === newest.current) setAsking(false);
    }, rest);
    return () => clearTimeout(timer);
  }, [text, state]);

  const useValue = (name: string, value: number) => (step.value = { ...step.value, values: { ...step.value.values, [name]: String(value) } });
  const faults = new Faults(failure);
  const own = pathsOf(step.value);
  const allowed = maySpend(session, scope.scope);
  return (
    <section class="card still-ask" aria-labelledby="still-ask-title">
      <h3 id="still-ask-title">What can I still ask?</h3>
      <p class="help">Of {scope.scope}, and of every scope above it. Asking records nothing.</p>
      <div class="columns">
        <form onSubmit={(event) => event.preventDefault()}>
          <StepEditor step={step.value} set={(next) => (step.value = next)} faults={faults} />
          <Entry label="How often" value={count.value} set={(text) => (count.value = text)} decimal help="steps of one charge" error={faults.at('count', 'steps[0].count')} />
          {scope.block_rule && (scope.blocks?.length ?? 0) > 0 && (
            <Blocks all={scope.blocks ?? []} chosen={known} set={setBlocks} rule={scope.block_rule.rule} error={faults.at('blocks')} />
          )}
        </form>
        <div class="answer-side" aria-live="polite" aria-busy={asking}>
          {found && <Verdict found={found} use={useValue} />}
          <Wrong text={faults.beside(...own, 'steps[0].count')} />
          {!found && failure === undefined && <p class="help">Asking …</p>}
          {allowed ? (
            <button
              type="button"
              class="main"
              disabled={!found?.receipt.accepted || found.to !== text}
              onClick={() => found && setCharging({ question, receipt: found.receipt })}
            >
              Charge it …
            </button>
          ) : (
            <p class="help">{whyNotSpend(session)}</p>
          )}
        </div>
      </div>
      {charging && <ChargeDialog {...charging} close={() => setCharging(undefined)} />}
    </section>
  );
}
