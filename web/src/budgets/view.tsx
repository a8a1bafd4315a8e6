// The view "Budgets" lives on a server: a ledger that several people charge. Static files have none, and say so.
export function Budgets() {
  return (
    <section class="card">
      <h2>Budgets need a server</h2>
      <p>
        Budgets of datasets and teams are kept by <code>renyi serve</code>, which serves this page too. These are static files, so
        there is no ledger to show.
      </p>
    </section>
  );
}
