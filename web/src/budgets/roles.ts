// What each role may do, as the server decides it. The page hides or explains what would be refused; the server refuses it.
import type { Role, Session } from './answers';

export const isWithin = (scope: string, outer: string): boolean => scope === outer || scope.startsWith(`${outer}/`);

export const mayAdminister = (role: Role): boolean => role === 'admin';
export const mayAudit = (role: Role): boolean => role === 'admin' || role === 'auditor';

/** Whether the session may charge, reserve or cancel there. */
export function maySpend(session: Session, scope: string): boolean {
  if (session.role === 'admin') return true;
  return session.role === 'analyst' && session.scopes.some((outer) => isWithin(scope, outer));
}

/** Why spending is not offered. */
export const whyNotSpend = (session: Session): string =>
  session.role === 'auditor' ? 'Auditors read; they charge nothing.' : 'This scope is not one of yours.';

export const wordsOf: Record<Role, string> = {
  admin: 'administrator',
  analyst: 'analyst',
  auditor: 'auditor',
};
