import type { Move, MoveName, Status } from '#domain/submission.ts'

/** Labels of the moves by staff, by the status before and after. */
const labels: Readonly<Record<Status, Partial<Record<Status, string>>>> = {
  pending: {
    processing: 'Start Processing',
    completed: 'Approve & Complete',
    rejected: 'Reject',
    under_review: 'Request Information',
    offered: 'Make Offer',
  },
  under_review: { pending: 'Resume Review', rejected: 'Reject', offered: 'Make Offer' },
  offered: { pending: 'Rescind Offer' },
  processing: { completed: 'Mark Complete', failed: 'Mark Failed' },
  completed: { processing: 'Revert to Processing' },
  rejected: { processing: 'Revert to Processing' },
  failed: { processing: 'Revert to Processing' },
  cancelled: {},
}

/** What happens to the money, where the label of the button does not say it. */
export const moveHints: Readonly<Partial<Record<MoveName, string>>> = {
  start: 'Approves; paid in a batch',
  approve: 'Already paid by hand',
  complete: 'Already paid by hand',
}

/** The label of a move's button. */
export function moveLabel({ from, to }: Pick<Move, 'from' | 'to'>): string {
  return labels[from][to] ?? `Move to ${to}`
}
