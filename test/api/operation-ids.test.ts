import { operations } from '../../api/operations.ts';

/**
 * Clients are generated from these names: an operation may be added, but no line may change
 * (docs/spec/rulings.md, 17).
 */
const names = `
ping GET /ping
getSite GET /site
updateSite PATCH /site
listContentTypes GET /content-types
createContentType POST /content-types
getContentType GET /content-types/{id}
updateContentType PATCH /content-types/{id}
listPrompts GET /pipeline/prompts
savePrompt PATCH /pipeline/prompts/{stage}
resetPrompt DELETE /pipeline/prompts/{stage}
listPromptVersions GET /pipeline/prompts/{stage}/versions
getUsage GET /usage
listUsageLedger GET /usage/ledger
listArticles GET /articles
createArticle POST /articles
getArticle GET /articles/{id}
updateArticle PATCH /articles/{id}
deleteArticle DELETE /articles/{id}
publishArticle POST /articles/{id}/publish
unpublishArticle POST /articles/{id}/unpublish
scheduleArticle POST /articles/{id}/schedule
cancelArticleSchedule POST /articles/{id}/cancel-schedule
startBulkJob POST /articles/bulk
getBulkJob GET /articles/bulk/{id}
cancelBulkJob POST /articles/bulk/{id}/cancel
listArticleRevisions GET /articles/{id}/revisions
getArticleRevision GET /articles/{id}/revisions/{number}
restoreArticleRevision POST /articles/{id}/revisions/{number}/restore
getPendingEdit GET /articles/{id}/pending
updatePendingEdit PATCH /articles/{id}/pending
deletePendingEdit DELETE /articles/{id}/pending
publishPendingEdit POST /articles/{id}/pending/publish
schedulePendingEdit POST /articles/{id}/pending/schedule
cancelPendingEditSchedule POST /articles/{id}/pending/cancel-schedule
createPreviewLink POST /articles/{id}/preview-links
listPreviewLinks GET /articles/{id}/preview-links
deletePreviewLink DELETE /articles/{id}/preview-links/{link_id}
listCategories GET /categories
createCategory POST /categories
getCategory GET /categories/{id}
updateCategory PATCH /categories/{id}
deleteCategory DELETE /categories/{id}
listTags GET /tags
createTag POST /tags
getTag GET /tags/{id}
updateTag PATCH /tags/{id}
deleteTag DELETE /tags/{id}
listAuthors GET /authors
createAuthor POST /authors
getAuthor GET /authors/{id}
updateAuthor PATCH /authors/{id}
deleteAuthor DELETE /authors/{id}
listMedia GET /media
reserveMediaUpload POST /media/upload-url
registerMedia POST /media
getMedia GET /media/{id}
updateMedia PATCH /media/{id}
deleteMedia DELETE /media/{id}
listCommentsOfArticle GET /comments/posts/{slug}
submitComment POST /comments
listComments GET /comments
getCommentSettings GET /comments/settings
updateCommentSettings PATCH /comments/settings
eraseComments POST /comments/erase
approveComment POST /comments/{id}/approve
holdComment POST /comments/{id}/hold
markCommentAsSpam POST /comments/{id}/spam
replyToComment POST /comments/{id}/reply
deleteComment DELETE /comments/{id}
listPlanItems GET /content-plan
createPlanItem POST /content-plan
getPlanItem GET /content-plan/{id}
updatePlanItem PATCH /content-plan/{id}
deletePlanItem DELETE /content-plan/{id}
getAutopilot GET /content-plan/autopilot
updateAutopilot PATCH /content-plan/autopilot
startPipelineRun POST /pipeline/runs
listPipelineRuns GET /pipeline/runs
getPipelineRun GET /pipeline/runs/{id}
cancelPipelineRun POST /pipeline/runs/{id}/cancel
requeuePipelineArticle POST /pipeline/articles/{id}/requeue
listKeys GET /keys
createKey POST /keys
rotateKey POST /keys/{id}/rotate
revokeKey DELETE /keys/{id}
startDeviceSignIn POST /auth/device
pollDeviceSignIn POST /auth/device/token
approveDeviceSignIn POST /auth/device/approve
denyDeviceSignIn POST /auth/device/deny
getOrganisation GET /organisation
updateOrganisation PATCH /organisation
listTeamMembers GET /team
inviteTeamMember POST /team/invitations
getTeamMember GET /team/{id}
updateTeamMember PATCH /team/{id}
removeTeamMember DELETE /team/{id}
listAuditLog GET /audit-log
listApprovals GET /approvals
getApproval GET /approvals/{id}
approveApproval POST /approvals/{id}/approve
denyApproval POST /approvals/{id}/deny
listWebhooks GET /webhooks
createWebhook POST /webhooks
getWebhook GET /webhooks/{id}
updateWebhook PATCH /webhooks/{id}
deleteWebhook DELETE /webhooks/{id}
rotateWebhookSecret POST /webhooks/{id}/rotate-secret
listWebhookDeliveries GET /webhooks/{id}/deliveries
redeliverWebhook POST /webhooks/{id}/deliveries/{delivery_id}/redeliver
replayWebhook POST /webhooks/{id}/replay
pingWebhook POST /webhooks/{id}/ping
listEvents GET /events
getEvent GET /events/{id}
`;

test('operations keep their ids', () => {
  const declared = operations.map(
    ({ id, method, path }) => `${id} ${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(declared).toEqual(names.trim().split('\n'));
});
