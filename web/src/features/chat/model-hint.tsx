import { Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useModelState } from '../settings/use-model-state.ts'

/** Without a model, answers come from memory: said before somebody wonders. */
export function ModelHint() {
  const { value } = useModelState()
  if (value === undefined || value.isConnected) return null
  return (
    <p className="model-hint">
      <Icon name="info" size={15} />
      <span>
        No language model is connected: answers are put together from what is remembered.{' '}
        <Link to="/settings">How to connect one</Link>
      </span>
    </p>
  )
}
