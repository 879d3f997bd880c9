import { Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useModels } from '../settings/use-models.ts'

/** Without a model, answers come from memory: said before somebody wonders. */
export function ModelHint() {
  const { value } = useModels()
  if (value === undefined || value.chat !== null) return null
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
