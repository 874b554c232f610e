// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of kept executables, and loading them: a header, the processor, the
// functions' names, and an ELF shared object that the dynamic linker gets from
// memory. Everything is checked before it sees the object.

#include "Fly/Execution/Executable.h"

#include "Fly/Execution/Session.h"
#include "fly_runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fly {

namespace {
/// What the bytes begin with. `checksum` is that of all that follows it.
struct Header {
  char magic[8];
  uint64_t checksum;
  uint32_t version;
  uint32_t runtimeVersion;
  uint32_t processorBytes;
  uint32_t nameBytes;
  uint64_t objectBytes;
};
constexpr char kMagic[8] = {'F', 'L', 'Y', 'H', 'O', 'S', 'T', '\n'};
constexpr uint32_t kVersion = 1;
constexpr size_t kChecked = offsetof(Header, version);
} // namespace

/// The processor with all that its code may use.
static const std::string &getProcessor() {
  static const std::string text = [] {
    std::vector<std::string> features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      if (feature.second)
        features.push_back(feature.first().str());
    llvm::sort(features);
    return llvm::sys::getHostCPUName().str() + " " +
           llvm::utohexstr(llvm::xxh3_64bits(llvm::join(features, ",")));
  }();
  return text;
}

static uint64_t getChecksum(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(bytes.drop_front(kChecked));
}

std::unique_ptr<Executable>
Executable::create(llvm::StringRef object,
                   llvm::ArrayRef<std::string> functions) {
  std::string names;
  for (const std::string &name : functions)
    names += name + '\0';
  const std::string &processor = getProcessor();
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.runtimeVersion = FLY_RUNTIME_ABI_VERSION;
  header.processorBytes = processor.size();
  header.nameBytes = names.size();
  header.objectBytes = object.size();

  std::unique_ptr<Executable> executable(new Executable);
  std::string &bytes = executable->bytes;
  bytes.append(reinterpret_cast<const char *>(&header), sizeof(header));
  bytes += processor;
  bytes += names;
  executable->objectOffset = bytes.size();
  bytes.append(object.data(), object.size());
  header.checksum = getChecksum(bytes);
  std::memcpy(bytes.data() + offsetof(Header, checksum), &header.checksum,
              sizeof(header.checksum));
  executable->functions = functions.vec();
  return executable;
}

llvm::Expected<std::unique_ptr<Executable>>
Executable::read(llvm::StringRef bytes) {
  Header header;
  if (bytes.size() < sizeof(header) || !bytes.starts_with(llvm::StringRef(kMagic, sizeof(kMagic))))
    return llvm::createStringError("these bytes are no Fly executable");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.version != kVersion ||
      header.runtimeVersion != FLY_RUNTIME_ABI_VERSION)
    return llvm::createStringError(
        "the executable was made by another version of Fly");
  uint64_t rest = bytes.size() - sizeof(header);
  uint64_t texts = uint64_t(header.processorBytes) + header.nameBytes;
  if (texts > rest || header.objectBytes != rest - texts)
    return llvm::createStringError("the executable is cut off");
  if (header.checksum != getChecksum(bytes))
    return llvm::createStringError(
        "the executable is damaged: its checksum does not match");
  llvm::StringRef processor =
      bytes.substr(sizeof(header), header.processorBytes);
  if (processor != getProcessor())
    return llvm::createStringError(
        "the executable was made for the processor '" +
        processor.split(' ').first + "', this one is '" +
        llvm::StringRef(getProcessor()).split(' ').first +
        "' or has other features");
  std::unique_ptr<Executable> executable(new Executable);
  executable->bytes = bytes.str();
  executable->objectOffset = sizeof(header) + texts;
  llvm::StringRef names =
      bytes.substr(sizeof(header) + header.processorBytes, header.nameBytes);
  while (!names.empty()) {
    auto [name, others] = names.split('\0');
    executable->functions.push_back(name.str());
    names = others;
  }
  return executable;
}

/// A descriptor of memory that holds `bytes`, or an error.
static llvm::Expected<int> writeMemoryFile(llvm::StringRef bytes) {
  auto fail = [](const char *what) {
    return llvm::createStringError(std::string("cannot load the executable: ") +
                                   what + ": " + std::strerror(errno));
  };
  int file = memfd_create("fly_executable", MFD_CLOEXEC);
  if (file < 0)
    return fail("memfd_create");
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      llvm::Error error = fail("write");
      close(file);
      return std::move(error);
    }
    bytes = bytes.drop_front(written);
  }
  return file;
}

/// The instructions of the library, those of its segments that can run.
static CodeRange findCode(void *library) {
  struct link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
    return {};
  struct Search {
    uintptr_t base;
    CodeRange found;
  } search = {map->l_addr, {}};
  dl_iterate_phdr(
      [](struct dl_phdr_info *info, size_t, void *data) {
        auto *search = static_cast<Search *>(data);
        if (info->dlpi_addr != search->base)
          return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
            continue;
          uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          search->found = {begin, begin + segment.p_memsz};
        }
        return 1;
      },
      &search);
  return search.found;
}

llvm::Error Executable::load() {
  if (library)
    return llvm::Error::success();
  installTrapHandlers();
  llvm::Expected<int> memory =
      writeMemoryFile(llvm::StringRef(bytes).drop_front(objectOffset));
  if (!memory)
    return memory.takeError();
  // A failure from before is not this one's.
  int32_t pendingCode = flyRuntimeTakeError();
  std::string pendingText = pendingCode ? flyRuntimeErrorMessage() : "";
  // The dynamic linker recognises a loaded library by its path first, so the
  // descriptor stays open, and with it the path unique, until the unload.
  std::string path = "/proc/self/fd/" + std::to_string(*memory);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string problem = handle ? "" : dlerror();
  llvm::Error failure = takeRuntimeError();
  if (pendingCode)
    flyRuntimeReportError(pendingCode, pendingText.c_str());
  if (!handle) {
    llvm::consumeError(std::move(failure));
    close(*memory);
    return llvm::createStringError("cannot load the executable: " + problem);
  }
  if (failure) {
    dlclose(handle);
    // What the destructors complain about follows from the failure.
    llvm::consumeError(takeRuntimeError());
    close(*memory);
    return failure;
  }
  library = handle;
  file = *memory;
  code = findCode(library);
  return llvm::Error::success();
}

Executable::~Executable() {
  if (!library)
    return;
  dlclose(library);
  close(file);
}

llvm::Expected<PackedFunction> Executable::lookup(llvm::StringRef name) {
  if (!llvm::is_contained(functions, name))
    return llvm::createStringError(
        "no function '" + name + "' in the executable, which has " +
        (functions.empty() ? std::string("none")
                           : "'" + llvm::join(functions, "', '") + "'"));
  std::lock_guard<std::mutex> lock(mutex);
  if (llvm::Error error = load())
    return std::move(error);
  void *symbol = dlsym(library, ("_mlir_" + name).str().c_str());
  if (!symbol)
    return llvm::createStringError("the executable exports no function '" +
                                   name + "'");
  return reinterpret_cast<PackedFunction>(symbol);
}

llvm::Error Executable::call(PackedFunction function, void **arguments) {
  std::optional<std::string> trap = callTrapped(code, function, arguments);
  // What was recorded came first: a failed assertion may lead to the trap.
  llvm::Error recorded = takeRuntimeError();
  if (recorded || !trap)
    return recorded;
  return llvm::createStringError("the host function stopped: " + *trap);
}

} // namespace fly
