import { openHandler } from '../../../../memory'

async function handle(request: Request): Promise<Response> {
  const handler = await openHandler()
  return handler(request)
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
