import { useId, useState } from 'react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { titleOf } from '../conversations/title-of.ts'
import { Setting, SettingGroup } from './setting.tsx'

interface Pruned {
  readonly conversations: readonly Parameters<typeof titleOf>[0][]
}

type Action = 'archive' | 'erase'

const prune = (unusedDays: number, action: Action, isDryRun: boolean): Promise<Pruned> =>
  client.request('POST', '/api/prune', { body: { unusedDays, action, isDryRun } })

export function RetentionSettings() {
  const [days, setDays] = useState(30)
  const [action, setAction] = useState<Action>('archive')
  const [found, setFound] = useState<Pruned['conversations'] | undefined>()
  const ids = { days: useId(), action: useId() }
  const preview = async () => {
    try {
      setFound((await prune(days, action, true)).conversations)
    } catch (error) {
      showError('Couldn’t load the preview', error)
    }
  }
  return (
    <SettingGroup
      title="Old chats"
      lead="Clean up chats you no longer use. Pinned chats always stay, and you’ll see a preview first."
    >
      <Setting name="Not used for" htmlFor={ids.days}>
        <input
          id={ids.days}
          className="input input-days"
          type="number"
          min={1}
          max={3650}
          value={days}
          onChange={(event) => setDays(Math.max(1, Number(event.target.value) || 1))}
        />
        <span>days</span>
      </Setting>
      <Setting name="Action" htmlFor={ids.action}>
        <select
          id={ids.action}
          className="input"
          value={action}
          onChange={(event) => setAction(event.target.value as Action)}
        >
          <option value="archive">Archive</option>
          <option value="erase">Delete permanently</option>
        </select>
        <Button onClick={() => void preview()}>Preview…</Button>
      </Setting>
      {found !== undefined && (
        <PruneDialog days={days} action={action} found={found} onClose={() => setFound(undefined)} />
      )}
    </SettingGroup>
  )
}

interface PruneDialogProps {
  readonly days: number
  readonly action: Action
  readonly found: Pruned['conversations']
  readonly onClose: () => void
}

function PruneDialog({ days, action, found, onClose }: PruneDialogProps) {
  const verb = action === 'archive' ? 'Archive' : 'Delete'
  const run = async () => {
    try {
      const { conversations } = await prune(days, action, false)
      showToast(`${plural(conversations.length, 'chat')} ${action === 'archive' ? 'archived' : 'deleted'}.`)
      notifyTabs('conversations')
      await refreshList()
    } catch (error) {
      showError(`Couldn’t ${action === 'archive' ? 'archive' : 'delete'} the chats`, error)
    }
  }
  return (
    <Dialog
      title={found.length === 0 ? 'No old chats' : `${verb} ${plural(found.length, 'chat')}?`}
      action={found.length === 0 ? 'OK' : verb}
      isDanger={action === 'erase' && found.length > 0}
      onSubmit={() => found.length > 0 && void run()}
      onClose={onClose}
    >
      {found.length === 0 ? (
        <p>Every chat was used within the last {plural(days, 'day')}.</p>
      ) : (
        <ul className="prune-list">
          {found.slice(0, 100).map((conversation) => (
            <li key={conversation.id}>{titleOf(conversation)}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
