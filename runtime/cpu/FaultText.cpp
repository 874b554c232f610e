// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of faults: operations, places, and where in the grid.

#include "Wave.h"

#include <cinttypes>
#include <cstdio>

using namespace fly::cpu;

namespace {
struct Operation {
  const char *name;
  SiteClass kind;
};
} // namespace

static const Operation operations[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue)             \
  {Name, SiteClass::Class},
#include "fly_cpu_handlers.def"
};

const char *fly::cpu::operationName(uint32_t handler) {
  const char *name = operations[handler].name;
  return *name ? name : "the place where branches or iterations meet";
}

SiteClass fly::cpu::siteClass(uint32_t handler) {
  return operations[handler].kind;
}

std::string fly::cpu::describeLocation(const fly_cpu_module &module,
                                       uint32_t location) {
  std::string text;
  // The chain is as long as the table at most: a damaged one ends.
  for (uint32_t i = 0; i <= module.num_locations; ++i) {
    if (location >= module.num_locations)
      break;
    const fly_cpu_location &place = module.locations[location];
    text += text.empty() ? "" : ", inlined at ";
    text += std::string(module.strings + place.file) + ":" +
            std::to_string(place.line) + ":" + std::to_string(place.column);
    location = place.inlined_at;
  }
  return text.empty() ? "unknown location" : text;
}

std::string fly::cpu::describeFault(const LaunchPlan &plan,
                                    const fly_cpu_workgroup &workgroup,
                                    int64_t wave, int64_t lane,
                                    uint32_t location,
                                    const std::string &cause) {
  std::string text = describeLocation(*plan.module, location) + ": " + cause +
                     " (kernel '" + plan.kernel->name + "', workgroup (" +
                     std::to_string(workgroup.block_id[0]) + ", " +
                     std::to_string(workgroup.block_id[1]) + ", " +
                     std::to_string(workgroup.block_id[2]) + ")";
  if (wave >= 0)
    text += ", wave " + std::to_string(wave);
  if (lane >= 0)
    text += ", lane " + std::to_string(lane);
  return text + ")";
}

std::string fly::cpu::maskText(uint64_t mask) {
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "0x%" PRIx64, mask);
  return buffer;
}

std::string fly::cpu::accessName(uint32_t access) {
  if (access & FlyCpuAccessAtomic)
    return "atomic access";
  return access & FlyCpuAccessWrite ? "write" : "read";
}

void Workgroup::fail(const Wave &wave, int64_t lane, const std::string &cause) {
  if (!faultText.empty())
    return;
  const fly_cpu_site &site = plan->kernel->sites[wave.site];
  faultText = describeFault(
      *plan, context, wave.first / plan->kernel->wave_size, lane, site.location,
      std::string(operationName(site.handler)) + ": " + cause);
}

void Workgroup::handlerFault(fly_cpu_group *group, int32_t lane,
                             const char *message) {
  auto *workgroup = static_cast<Workgroup *>(group->context);
  workgroup->fail(workgroup->waves[workgroup->current], lane, message);
}

void Workgroup::handlerMulticast(fly_cpu_group *group, uint32_t mask,
                                 uint64_t request) {
  auto *self = static_cast<Workgroup *>(group->context);
  self->cluster->issue(mask, request, self->rank, uint32_t(self->current),
                       group->location, group->site->handler);
}

uint32_t Workgroup::currentLocation() const {
  if (current < 0)
    return plan->kernel->location;
  const Wave &wave = waves[current];
  if (wave.site >= plan->kernel->num_sites)
    return plan->kernel->location;
  return plan->kernel->sites[wave.site].location;
}
