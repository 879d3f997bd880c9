/** Every text of the sidebar. */
export interface ChatSidebarLabels {
  readonly title: string
  readonly close: string
  readonly you: string
  readonly assistant: string
  readonly message: string
  readonly placeholder: string
  readonly send: string
  readonly stop: string
  readonly regenerate: string
  readonly retry: string
  readonly dismiss: string
  readonly earlier: string
  readonly loading: string
  readonly empty: string
  readonly sending: string
  readonly unsent: string
  readonly answering: string
  readonly stopped: string
  readonly failed: string
  readonly erased: string
  readonly fromMemory: string
  readonly why: string
  readonly tokens: (tokens: number, budgetTokens: number) => string
  readonly activeFile: string
  readonly topic: string
}

export const LABELS: ChatSidebarLabels = {
  title: 'Chat',
  close: 'Close',
  you: 'You',
  assistant: 'Assistant',
  message: 'Message',
  placeholder: 'Ask something',
  send: 'Send',
  stop: 'Stop',
  regenerate: 'Answer again',
  retry: 'Try again',
  dismiss: 'Dismiss',
  earlier: 'Earlier messages',
  loading: 'Loading …',
  empty: 'Nothing has been said yet.',
  sending: 'Sending …',
  unsent: 'Not sent',
  answering: 'Answering …',
  stopped: 'Stopped',
  failed: 'Broke off',
  erased: 'Erased',
  fromMemory: 'From memory',
  why: 'Why this answer',
  tokens: (tokens, budgetTokens) => `${tokens.toLocaleString()} of ${budgetTokens.toLocaleString()} tokens`,
  activeFile: 'File',
  topic: 'Topic',
}
