/* A simulated disk that loses what was not synced.
 *
 * Preloaded into a process, this library watches the files of one folder. Writes go through to the real
 * files, so that the process reads what it wrote; in memory it also keeps what a disk would have
 * after a power cut: for every file its bytes as of the last sync, and the list of changes since then.
 *
 * Before chosen calls (counting each write, truncation, sync and unlink of a watched file) it draws an
 * image of the disk into a separate folder and prints "cut <number> <writes> <syncs>" to the standard
 * output: what the process printed before that line, it had printed before the power cut. At the last of
 * these calls the process is killed.
 *
 * In an image a file has everything that was synced. Of the changes since then
 *   - none survives, or
 *   - each survives or not, by chance, or
 *   - each sector of each survives or not, by chance: writes are torn and reordered.
 * A file that was never synced is missing in the first case, and may be there in the others. Unlinking
 * counts as durable at once, and so does the name of a synced file: SQLite syncs the folder for both.
 *
 * Not watched: "-shm" files, which are written through mmap and recreated after a crash; rename,
 * writev and O_TRUNC, which SQLite does not use on them. Only Linux: names come from /proc/self/fd.
 *
 * UNSYNCED_FOLDER   the folder to watch; its content at the start counts as synced
 * UNSYNCED_IMAGES   an existing folder for the images, which are called 0, 1, 2 ...
 * UNSYNCED_CUTS     numbers of calls, rising: "12,80,301"
 * UNSYNCED_SEED     decides what survives
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_FILES = 64, SECTOR = 512 };

struct bytes {
  unsigned char *start;
  size_t size;
};

/* A write, or, where there are no bytes, a truncation to `offset`. */
struct change {
  off_t offset;
  struct bytes written;
  struct change *next;
};

struct file {
  char name[256];
  int is_durable;
  struct bytes synced;
  struct change *first;
  struct change **end;
};

static struct file files[MOST_FILES];
static int file_count;
static const char *folder;
static const char *images;
static const char *cuts;
static uint64_t random_state;
static long calls, next_cut, cut_count, writes, syncs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *what) {
  perror(what);
  abort();
}

/* splitmix64 */
static uint64_t next_random(void) {
  uint64_t mixed = (random_state += 0x9e3779b97f4a7c15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/* The system calls themselves: our functions replace those of libc. */

static ssize_t real_write_at(int fd, const void *from, size_t size, off_t offset) {
  return syscall(SYS_pwrite64, fd, from, size, offset);
}

static void write_whole(int fd, struct bytes bytes) {
  for (size_t done = 0; done < bytes.size;) {
    ssize_t count = real_write_at(fd, bytes.start + done, bytes.size - done, (off_t)done);
    if (count <= 0) fail("unsynced: write");
    done += (size_t)count;
  }
}

/* ---- what is durable ---- */

static struct bytes copy_bytes(const void *from, size_t size) {
  struct bytes copy = {malloc(size + 1), size};
  if (copy.start == NULL) fail("unsynced: malloc");
  if (size > 0) memcpy(copy.start, from, size);
  return copy;
}

static void resize(struct bytes *bytes, size_t size) {
  bytes->start = realloc(bytes->start, size + 1);
  if (bytes->start == NULL) fail("unsynced: realloc");
  if (size > bytes->size) memset(bytes->start + bytes->size, 0, size - bytes->size);
  bytes->size = size;
}

static void put(struct bytes *target, off_t offset, struct bytes piece) {
  size_t end = (size_t)offset + piece.size;
  if (end > target->size) resize(target, end);
  memcpy(target->start + offset, piece.start, piece.size);
}

static void apply(struct bytes *target, const struct change *change) {
  if (change->written.start == NULL) resize(target, (size_t)change->offset);
  else put(target, change->offset, change->written);
}

static void apply_torn(struct bytes *target, const struct change *change) {
  for (size_t from = 0; from < change->written.size; from += SECTOR) {
    size_t left = change->written.size - from;
    struct bytes sector = {change->written.start + from, left < SECTOR ? left : SECTOR};
    if (next_random() % 2) put(target, change->offset + (off_t)from, sector);
  }
}

static void forget_changes(struct file *file) {
  for (struct change *change = file->first, *next; change != NULL; change = next) {
    next = change->next;
    free(change->written.start);
    free(change);
  }
  file->first = NULL;
  file->end = &file->first;
}

static struct file *find_file(const char *name) {
  for (int i = 0; i < file_count; i++) {
    if (strcmp(files[i].name, name) == 0) return &files[i];
  }
  if (file_count == MOST_FILES || strlen(name) >= sizeof files[0].name) abort();
  struct file *file = &files[file_count++];
  strcpy(file->name, name);
  file->end = &file->first;
  return file;
}

/* ---- cutting the power ---- */

static void draw_file(const struct file *file, const char *image, int mode) {
  if (!file->is_durable && (mode == 0 || file->first == NULL)) return;
  struct bytes survived = copy_bytes(file->synced.start, file->synced.size);
  for (const struct change *change = file->first; change != NULL && mode > 0; change = change->next) {
    if (mode == 2 && change->written.start != NULL) apply_torn(&survived, change);
    else if (next_random() % 2) apply(&survived, change);
  }
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", image, file->name) >= (int)sizeof path) abort();
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) fail(path);
  write_whole(fd, survived);
  close(fd);
  free(survived.start);
}

static void choose_next_cut(void) {
  char *rest;
  next_cut = strtol(cuts, &rest, 10);
  cuts = *rest == ',' ? rest + 1 : rest;
}

static void cut(void) {
  char image[2048], line[128];
  snprintf(image, sizeof image, "%s/%ld", images, cut_count);
  if (mkdir(image, 0700) != 0) fail(image);
  int mode = (int)(next_random() % 3);
  for (int i = 0; i < file_count; i++) draw_file(&files[i], image, mode);
  int length = snprintf(line, sizeof line, "cut %ld %ld %ld\n", cut_count, writes, syncs);
  if (syscall(SYS_write, 1, line, (size_t)length) != length) fail("unsynced: cannot say that power was cut");
  cut_count++;
  if (*cuts == '\0') kill(getpid(), SIGKILL);
  choose_next_cut();
}

static void count_call(void) {
  if (++calls == next_cut) cut();
}

/* ---- which calls concern us ---- */

/* Within the folder, or NULL. */
static const char *watched_name(const char *path) {
  size_t length = folder == NULL ? 0 : strlen(folder);
  if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
  const char *name = path + length + 1;
  int is_other = strchr(name, '/') != NULL || strstr(name, "-shm") != NULL || strstr(name, " (deleted)") != NULL;
  return is_other ? NULL : name;
}

static int is_watched(int fd, char *path, size_t size) {
  if (folder == NULL) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return watched_name(path) != NULL;
}

static struct file *watched(int fd) {
  char path[4096];
  return is_watched(fd, path, sizeof path) ? find_file(watched_name(path)) : NULL;
}

static void note_change(struct file *file, off_t offset, struct bytes written) {
  struct change *change = malloc(sizeof *change);
  if (change == NULL) fail("unsynced: malloc");
  *change = (struct change){offset, written, NULL};
  *file->end = change;
  file->end = &change->next;
}

static ssize_t write_at(int fd, const void *from, size_t size, off_t offset) {
  struct file *file = watched(fd);
  if (file == NULL) return real_write_at(fd, from, size, offset);
  count_call();
  writes++;
  ssize_t count = real_write_at(fd, from, size, offset);
  if (count > 0) note_change(file, offset, copy_bytes(from, (size_t)count));
  return count;
}

static ssize_t write_on(int fd, const void *from, size_t size) {
  int is_appending = fcntl(fd, F_GETFL) & O_APPEND;
  off_t offset = lseek(fd, 0, is_appending ? SEEK_END : SEEK_CUR);
  ssize_t count = write_at(fd, from, size, offset);
  if (count > 0) lseek(fd, offset + count, SEEK_SET);
  return count;
}

static int truncate_to(int fd, off_t size) {
  struct file *file = watched(fd);
  if (file != NULL) count_call();
  int result = (int)syscall(SYS_ftruncate, fd, size);
  if (file != NULL && result == 0) note_change(file, size, (struct bytes){NULL, 0});
  return result;
}

/* The real disk need not be troubled: what is durable is decided here. */
static int sync_file(int fd, long real_call) {
  struct file *file = watched(fd);
  if (file == NULL) return (int)syscall(real_call, fd);
  count_call();
  syncs++;
  for (const struct change *change = file->first; change != NULL; change = change->next) apply(&file->synced, change);
  forget_changes(file);
  file->is_durable = 1;
  return 0;
}

static int remove_name(const char *path) {
  const char *name = watched_name(path);
  struct file *file = name == NULL ? NULL : find_file(name);
  if (file != NULL) count_call();
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (file == NULL || result != 0) return result;
  forget_changes(file);
  resize(&file->synced, 0);
  file->is_durable = 0;
  return 0;
}

/* ---- the intercepted calls ---- */

#define ALONE(type, call)     \
  pthread_mutex_lock(&lock);  \
  type result = call;         \
  pthread_mutex_unlock(&lock); \
  return result;

ssize_t write(int fd, const void *from, size_t size) {
  char path[4096];
  /* A pipe may be full: nobody else must wait for that. */
  if (!is_watched(fd, path, sizeof path)) return syscall(SYS_write, fd, from, size);
  ALONE(ssize_t, write_on(fd, from, size))
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset) { ALONE(ssize_t, write_at(fd, from, size, offset)) }

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t offset) { return pwrite(fd, from, size, offset); }

int ftruncate(int fd, off_t size) { ALONE(int, truncate_to(fd, size)) }

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int fsync(int fd) { ALONE(int, sync_file(fd, SYS_fsync)) }

int fdatasync(int fd) { ALONE(int, sync_file(fd, SYS_fdatasync)) }

int unlink(const char *path) { ALONE(int, remove_name(path)) }

/* ---- the start ---- */

static void load_file(struct file *file, const char *path) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &status) != 0) fail(path);
  resize(&file->synced, (size_t)status.st_size);
  if (read(fd, file->synced.start, file->synced.size) != status.st_size) fail(path);
  close(fd);
  file->is_durable = 1;
}

static void load_folder(void) {
  DIR *directory = opendir(folder);
  if (directory == NULL) fail(folder);
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.' && watched_name(path) != NULL) load_file(find_file(entry->d_name), path);
  }
  closedir(directory);
}

__attribute__((constructor)) static void start(void) {
  images = getenv("UNSYNCED_IMAGES");
  cuts = getenv("UNSYNCED_CUTS");
  const char *seed = getenv("UNSYNCED_SEED");
  if (getenv("UNSYNCED_FOLDER") == NULL || images == NULL || cuts == NULL || seed == NULL) return;
  random_state = strtoull(seed, NULL, 10);
  folder = getenv("UNSYNCED_FOLDER");
  choose_next_cut();
  load_folder();
}
